// tests/unit/config/reservation_words_test.cpp — the words of scontrol, what show prints, moments.
#include <gtest/gtest.h>

#include <string>

#include "sim/config/reservation_words.hpp"
#include "tests/unit/config/findings.hpp"

namespace rehearse::test {
namespace {

// A Friday, 08:42:02.
SlurmTime friday() {
  return TimeZone::utc().read("2027-01-15T08:42:02").value();
}

std::optional<ReservationCommand> read(const std::string& command, Diagnostics& found) {
  return read_reservation_command(command, {"events.csv", 3, 21}, friday(), TimeZone::utc(), found);
}

TEST(ReservationWords, AreUnderstood) {
  Diagnostics found;
  const auto command = read(
      "scontrol create reservation ReservationName=maint StartTime=now+5400 Duration=40 "
      "Users=root,ann Accounts=-bio Nodes=n[1-2] Flags=MAINT,IGNORE_JOBS,PURGE_COMP=10 "
      "Licenses=matlab:2,ansys MaxStartDelay=1:00:00",
      found);
  ASSERT_TRUE(command) << all_text(found);
  const ReservationWords& words = command->words;
  EXPECT_EQ(words.name, "maint");
  EXPECT_EQ(*words.start, friday() + Seconds{5400});
  EXPECT_EQ(*words.duration, Minutes{40});
  EXPECT_EQ(words.users->allowed, (std::vector<std::string>{"root", "ann"}));
  EXPECT_EQ(words.accounts->denied, (std::vector<std::string>{"bio"}));
  EXPECT_EQ(words.nodes->allowed, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(to_text(words.set), "MAINT,IGNORE_JOBS,PURGE_COMP");
  EXPECT_EQ(words.purge_after, Minutes{10});
  EXPECT_EQ(words.licenses->at(0).count, 2U);
  EXPECT_EQ(*words.max_start_delay, Minutes{60});
}

TEST(ReservationWords, TakeTresAsCounts) {
  Diagnostics found;
  const auto command = read(
      "scontrol create res=x StartTime=now Duration=1 User=a TRES=cpu=2,2,1,license/iop1=3,node=1k",
      found);
  ASSERT_TRUE(command) << all_text(found);
  EXPECT_EQ(command->words.core_counts, (std::vector<std::uint32_t>{2, 2, 1}));
  EXPECT_EQ(command->words.node_counts, (std::vector<std::uint32_t>{1024}));
  EXPECT_EQ(command->words.licenses->at(0).name, "iop1");
}

TEST(ReservationWords, ThatAreUnknownAreToldWithTheirColumn) {
  Diagnostics found;
  EXPECT_FALSE(
      read("scontrol create reservation=x StartTime=now Duration=1 Users=a Nodes=n1 "
           "Flags=MAINTT Colour=red",
           found));
  EXPECT_EQ(all_text(found),
            "events.csv:3:93: error: Flags: 'MAINTT' is not a flag of a reservation\n"
            "  hint: did you mean 'MAINT'?\n"
            "events.csv:3:106: error: 'Colour' is not a word of a reservation\n"
            "  hint: ReservationName=, StartTime=, Duration=, Nodes=, Users= …");
}

TEST(ReservationWords, AreRefusedAsScontrolDoes) {
  const auto refused = [](const std::string& words) {
    Diagnostics found;
    EXPECT_FALSE(read("scontrol create reservation " + words, found)) << words;
    return found.all().empty() ? std::string() : found.all().front().what;
  };
  EXPECT_EQ(refused("res=x Duration=1 Users=a Nodes=n1"),
            "a reservation without StartTime= is not created");
  EXPECT_EQ(refused("res=x StartTime=now Users=a Nodes=n1"),
            "a reservation without EndTime= or Duration= is not created");
  EXPECT_EQ(refused("res=x StartTime=now Duration=1 Nodes=n1"),
            "a reservation without Users= and Accounts= is not created");
  EXPECT_EQ(refused("res=x StartTime=now Duration=1 Users=a"),
            "a reservation of nothing is not created");
  EXPECT_EQ(refused("res=x StartTime=now EndTime=now-5 Users=a Nodes=n1"),
            "the reservation ends before it starts");
  EXPECT_EQ(refused("res=x StartTime=now Duration=1 Users=a Nodes=n1 Flags=REPLACE"),
            "REPLACE and REPLACE_DOWN choose nodes: Nodes= is refused with them");
  EXPECT_EQ(refused("res=x StartTime=now Duration=1 Users=a Nodes=n1 Flags=TIME_FLOAT,DAILY"),
            "a floating reservation cannot recur");
  EXPECT_EQ(refused("res=x StartTime=now Duration=1 Users=a,-b Nodes=n1"),
            "'a,-b': some names are denied and some are not");
}

TEST(ReservationWords, AnAmountInFrontOfWhichASignStandsIsToldAsScontrolTakesIt) {
  Diagnostics found;
  EXPECT_FALSE(read("scontrol update ReservationName=x Duration=+20", found));
  ASSERT_FALSE(found.all().empty());
  EXPECT_EQ(found.all()[0].what, "Duration: '+20' is not a span");
  EXPECT_EQ(found.all()[0].hint, "a change is Duration+=20");
  Diagnostics taken;
  const auto command = read("scontrol update ReservationName=x Duration+=20", taken);
  ASSERT_TRUE(command) << all_text(taken);
  EXPECT_EQ(command->words.duration_change, Minutes{20});
}

// As slurmctld 22.05.8 printed it.
constexpr std::string_view kShown =
    "ReservationName=M StartTime=2027-01-15T08:04:13 EndTime=2027-01-15T09:04:13 "
    "Duration=01:00:00\n"
    "   Nodes=n1 NodeCnt=1 CoreCnt=2 Features=(null) PartitionName=(null) Flags=SPEC_NODES\n"
    "     NodeName=n1 CoreIDs=0-1\n"
    "   TRES=cpu=2\n"
    "   Users=nobody Groups=(null) Accounts=(null) Licenses=(null) State=ACTIVE "
    "BurstBuffer=(null) Watts=n/a\n"
    "   MaxStartDelay=(null)\n\n";

TEST(ReservationFile, ReadsWhatShowPrints) {
  std::string one_line(kShown);
  for (char& c : one_line) c = c == '\n' ? ' ' : c;
  for (const std::string& text : {std::string(kShown), one_line}) {
    Diagnostics found;
    const auto records = parse_reservations(text, "reservations.txt", TimeZone::utc(), found);
    ASSERT_EQ(records.size(), 1U) << all_text(found);
    EXPECT_TRUE(found.all().empty()) << all_text(found);
    EXPECT_EQ(records[0].name, "M");
    EXPECT_EQ(*records[0].end - *records[0].start, Seconds{3600});
    EXPECT_EQ(records[0].users->allowed, (std::vector<std::string>{"nobody"}));
    EXPECT_FALSE(records[0].accounts);
    ASSERT_EQ(records[0].core_ids.size(), 1U);
    EXPECT_EQ(records[0].core_ids[0].second, (std::vector<std::uint32_t>{0, 1}));
  }
}

TEST(ReservationFile, TellsUnknownFields) {
  Diagnostics found;
  (void)parse_reservations("ReservationName=a StartTime=2027-01-15T08:04:13\n  Flag=MAINT\n",
                           "reservations.txt", TimeZone::utc(), found);
  EXPECT_NE(all_text(found).find("reservations.txt:2:3: error: 'Flag' is no field of scontrol show "
                                 "reservation\n  hint: did you mean 'Flags'?"),
            std::string::npos)
      << all_text(found);
}

}  // namespace
}  // namespace rehearse::test
