// tests/unit/config/sbatch_args_test.cpp — submit lines read as sbatch would read them.
#include "sim/config/sbatch_args.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "sim/config/sbatch_options.hpp"
#include "tests/support/source_folder.hpp"

namespace rehearse::test {
namespace {

std::string told(const std::string& line) {
  Diagnostics found;
  (void)parse_submit_line(line, {"s", 3, 1}, found);
  std::string text;
  for (const Diagnostic& one : found.all()) text += (text.empty() ? "" : "\n") + to_text(one);
  return text;
}

SbatchArgs read(const std::string& line) {
  EXPECT_EQ(told(line), "") << line;
  Diagnostics found;
  return parse_submit_line(line, {}, found);
}

std::string text_of(const std::vector<GresSpec>& list) {
  std::string text;
  for (const GresSpec& one : list) {
    text += (text.empty() ? "" : ",") + one.name + ":" + one.type + ":" + std::to_string(one.count);
  }
  return text;
}

TEST(SubmitLine, EveryRecordedLineReadsWithoutAFinding) {
  std::ifstream lines(source_folder() / "tests/data/submit_lines.txt");
  std::string line;
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    const SbatchArgs args = read(line);
    EXPECT_EQ(args.program, "sbatch") << line;
    EXPECT_FALSE(args.user.empty()) << line;
    EXPECT_TRUE(args.time_limit.has_value()) << line;
    ++count;
  }
  EXPECT_GT(count, 1000U);
}

TEST(SubmitLine, RecordedLineGivesItsRequest) {
  const SbatchArgs args = read(
      "sbatch --parsable --uid=alice -D / -o /dev/null -N1 --gres=gpu:1 -c 4 --mem=8000 -t 180 "
      "--dependency=afterany:48:62 --kill-on-invalid-dep=yes --wrap sleep 1462; exit 0");
  EXPECT_EQ(args.user, "alice");
  EXPECT_EQ(args.nodes->min, 1U);
  EXPECT_EQ(args.nodes->max, 1U);
  EXPECT_EQ(text_of(args.gres), "gpu::1");
  EXPECT_EQ(args.cpus_per_task, 4U);
  EXPECT_EQ(args.mem_per_node_mib, 8000U);
  EXPECT_EQ(args.time_limit, Minutes{180});
  EXPECT_EQ(args.dependency, "afterany:48:62");
  EXPECT_EQ(args.kill_on_invalid_dep, true);
}

TEST(SubmitLine, ShortFormsMayBeJoinedOrApart) {
  for (const char* line : {"sbatch -N2 -n4 -c8 -t15 -pgpu -Aml -qhigh -Jx",
                           "sbatch -N 2 -n 4 -c 8 -t 15 -p gpu -A ml -q high -J x",
                           "sbatch --nodes=2 --ntasks=4 --cpus-per-task=8 --time=15 "
                           "--partition=gpu --account=ml --qos=high --job-name=x",
                           "sbatch --nodes 2 --ntasks 4 --cpus-per-task 8 --time 15 "
                           "--partition gpu --account ml --qos high --job-name x"}) {
    const SbatchArgs args = read(line);
    EXPECT_EQ(args.nodes->max, 2U);
    EXPECT_EQ(args.ntasks, 4U);
    EXPECT_EQ(args.cpus_per_task, 8U);
    EXPECT_EQ(args.time_limit, Minutes{15});
    EXPECT_EQ(args.partition, "gpu");
    EXPECT_EQ(args.account, "ml");
    EXPECT_EQ(args.qos, "high");
    EXPECT_EQ(args.job_name, "x");
  }
}

TEST(SubmitLine, FlagLettersMayShareOneDash) {
  const SbatchArgs args = read("sbatch -HOsN3");
  EXPECT_TRUE(args.hold);
  EXPECT_TRUE(args.overcommit);
  EXPECT_TRUE(args.oversubscribe);
  EXPECT_EQ(args.nodes->min, 3U);
}

TEST(SubmitLine, LongNamesMayBeCutWhileOneRemains) {
  EXPECT_EQ(read("sbatch --part=gpu").partition, "gpu");
  EXPECT_EQ(read("sbatch --cpus-per-t=2").cpus_per_task, 2U);
  EXPECT_EQ(read("sbatch --time=5").time_limit, Minutes{5});  // exact, though --time-min exists
  EXPECT_EQ(told("sbatch -N1 --cpus-per=2"),
            "s:3:12: error: option '--cpus-per' is ambiguous\n  hint: it could be --cpus-per-gpu, "
            "--cpus-per-task");
}

TEST(SubmitLine, NodeCountsMayBeRanges) {
  EXPECT_EQ(read("sbatch -N 1-4").nodes->min, 1U);
  EXPECT_EQ(read("sbatch -N2-4").nodes->max, 4U);
  EXPECT_EQ(read("sbatch -N 1k").nodes->min, 1024U);
}

TEST(SubmitLine, MemoryHasUnits) {
  EXPECT_EQ(read("sbatch --mem=0").mem_per_node_mib, 0U);
  EXPECT_EQ(read("sbatch --mem=4G").mem_per_node_mib, 4096U);
  EXPECT_EQ(read("sbatch --mem-per-cpu=1000").mem_per_cpu_mib, 1000U);
  EXPECT_EQ(read("sbatch --mem-per-gpu 2G").mem_per_gpu_mib, 2048U);
  EXPECT_EQ(read("sbatch --tmp=10G").tmp_mib, 10240U);
}

TEST(SubmitLine, GpusComeInEveryForm) {
  EXPECT_EQ(text_of(read("sbatch --gres=gpu:a100:2,shard:1").gres), "gpu:a100:2,shard::1");
  EXPECT_EQ(text_of(read("sbatch --gres=gpu").gres), "gpu::1");
  EXPECT_EQ(text_of(read("sbatch --gres=gpu:a100").gres), "gpu:a100:1");
  EXPECT_EQ(text_of(read("sbatch --gres=gpu:1g.5gb:2").gres), "gpu:1g.5gb:2");
  EXPECT_EQ(text_of(read("sbatch --gres=mps:1k").gres), "mps::1024");
  EXPECT_EQ(text_of(read("sbatch --gres=gpu:0,mps:50").gres), "mps::50");
  // [V] Of the same option the last one counts; --gres stands behind --gpus-per-node.
  EXPECT_EQ(text_of(read("sbatch --gres=gpu:1 --gpus-per-node=a100:2").gres), "gpu:a100:2,gpu::1");
  EXPECT_EQ(text_of(read("sbatch --gpus-per-node=1 --gres=gpu:1 --gpus-per-node=2").gres),
            "gpu::2,gpu::1");
  EXPECT_EQ(text_of(read("sbatch --gres=gpu:2 --gres=shard:1").gres), "shard::1");
  EXPECT_EQ(text_of(read("sbatch --gpus=a100").gpus), "gpu:a100:1");
  EXPECT_EQ(text_of(read("sbatch -G 4").gpus), "gpu::4");
  EXPECT_EQ(text_of(read("sbatch --gpus=a100:2,v100:1").gpus), "gpu:a100:2,gpu:v100:1");
  EXPECT_EQ(text_of(read("sbatch -n2 --gpus-per-task=1").gpus_per_task), "gpu::1");
  EXPECT_EQ(text_of(read("sbatch --gpus-per-socket=2").gpus_per_socket), "gpu::2");
  EXPECT_EQ(read("sbatch --cpus-per-gpu=6").cpus_per_gpu, 6U);
  EXPECT_TRUE(read("sbatch --gres-flags=enforce-binding").enforce_binding);
}

TEST(SubmitLine, TresPerTaskOfLaterReleasesIsRead) {
  for (const char* line : {"sbatch --tres-per-task=cpu=8,gres/gpu:a100=2",
                           "sbatch --tres-per-task=cpu:8,gres:gpu:a100:2"}) {
    EXPECT_EQ(read(line).cpus_per_task, 8U);
    EXPECT_EQ(text_of(read(line).gpus_per_task), "gpu:a100:2");
  }
  EXPECT_EQ(text_of(read("sbatch --tres-per-task=gres/gpu=1").gpus_per_task), "gpu::1");
}

TEST(SubmitLine, ExclusiveHasThreeModes) {
  EXPECT_EQ(read("sbatch --exclusive").exclusive, ExclusiveMode::Exclusive);
  EXPECT_EQ(read("sbatch --exclusive=user").exclusive, ExclusiveMode::User);
  EXPECT_EQ(read("sbatch --exclusive=mcs").exclusive, ExclusiveMode::Mcs);
  EXPECT_EQ(read("sbatch").exclusive, ExclusiveMode::None);
}

TEST(SbatchArgs, TakesTheLastOfExclusiveAndOversubscribe) {
  EXPECT_EQ(read("sbatch --exclusive -s").exclusive, ExclusiveMode::None);
  EXPECT_TRUE(read("sbatch --exclusive -s").oversubscribe);
  EXPECT_EQ(read("sbatch --exclusive=user --share").exclusive, ExclusiveMode::None);
  EXPECT_EQ(read("sbatch -s --exclusive").exclusive, ExclusiveMode::Exclusive);
  EXPECT_FALSE(read("sbatch -s --exclusive").oversubscribe);
}

TEST(SubmitLine, OptionalArgumentsNeverStandInTheNextWord) {
  const SbatchArgs args = read("sbatch --nice -N1 --exclusive -n2");
  EXPECT_EQ(args.nice, 100);
  EXPECT_EQ(args.ntasks, 2U);
  EXPECT_EQ(read("sbatch --nice=-5").nice, -5);
  EXPECT_EQ(read("sbatch --nice=20000").nice, 20000);
}

TEST(SubmitLine, TimesReadAsSlurmReadsThem) {
  EXPECT_EQ(read("sbatch -t 1-12").time_limit, Minutes{36 * 60});
  EXPECT_EQ(read("sbatch -t 00:00:30").time_limit, Minutes{1});
  EXPECT_EQ(read("sbatch -t UNLIMITED").time_limit, kUnlimited);
  EXPECT_EQ(read("sbatch -t 0").time_limit, kUnlimited);
  EXPECT_EQ(read("sbatch -t60 --time-min=30").time_min, Minutes{30});
  EXPECT_EQ(read("sbatch --begin=now+1hour --deadline=2027-01-15T09:00:00").begin, "now+1hour");
}

TEST(SubmitLine, LayoutOptions) {
  const SbatchArgs args = read(
      "sbatch -B 2:8:1 --ntasks-per-node=4 --ntasks-per-core=1 --mincpus=3 -S 2 --switches=1@10:00 "
      "-m block:cyclic --contiguous --spread-job --use-min-nodes --no-kill");
  EXPECT_EQ(args.sockets_per_node, 2U);
  EXPECT_EQ(args.cores_per_socket, 8U);
  EXPECT_EQ(args.threads_per_core, 1U);
  EXPECT_EQ(args.ntasks_per_node, 4U);
  EXPECT_EQ(args.ntasks_per_core, 1U);
  EXPECT_EQ(args.min_cpus_per_node, 3U);
  EXPECT_EQ(args.core_spec, 2U);
  EXPECT_EQ(args.switches, 1U);
  EXPECT_EQ(args.switches_wait, Minutes{10});
  EXPECT_EQ(args.distribution, "block:cyclic");
  EXPECT_TRUE(args.contiguous && args.spread_job && args.use_min_nodes && args.no_kill);
}

TEST(SubmitLine, AHintVoidsSocketsAndCoresButNotThoseOfDashB) {  // scheduling.md §5.6
  for (const char* const line :
       {"sbatch --hint=nomultithread --sockets-per-node=2 --cores-per-socket=4",
        "sbatch --sockets-per-node=2 --hint=multithread"}) {
    const SbatchArgs args = read(line);
    EXPECT_TRUE(args.hint_nomultithread.has_value()) << line;
    EXPECT_FALSE(args.sockets_per_node || args.cores_per_socket) << line;
  }
  const SbatchArgs parts = read("sbatch --hint=nomultithread -B 2:4");
  EXPECT_FALSE(parts.hint_nomultithread);
  EXPECT_EQ(parts.sockets_per_node, 2U);
  EXPECT_EQ(parts.cores_per_socket, 4U);
  const SbatchArgs threads = read("sbatch --hint=compute_bound --threads-per-core=2");
  EXPECT_FALSE(threads.hint_nomultithread);
  EXPECT_EQ(threads.threads_per_core, 2U);
}

TEST(SubmitLine, PlacesAndConditions) {
  const SbatchArgs args = read(
      "sbatch -C 'a100&nvlink' -w n[1-2] -x n3 -L matlab:2 --reservation=r --requeue "
      "--signal=B:USR1@60 --prefer=fast --comment='two words' --wckey=w --priority=5 --reboot");
  EXPECT_EQ(args.constraint, "a100&nvlink");
  EXPECT_EQ(args.nodelist, "n[1-2]");
  EXPECT_EQ(args.exclude, "n3");
  EXPECT_EQ(args.licenses, "matlab:2");
  EXPECT_EQ(args.reservation, "r");
  EXPECT_EQ(args.requeue, true);
  EXPECT_EQ(args.signal, "B:USR1@60");
  EXPECT_EQ(args.prefer, "fast");
  EXPECT_EQ(args.comment, "two words");
  EXPECT_EQ(args.priority, 5U);
  EXPECT_TRUE(args.reboot);
  EXPECT_EQ(read("sbatch --requeue --no-requeue").requeue, false);  // the last one counts
}

TEST(SubmitLine, OptionsEndAtTheScript) {
  const SbatchArgs args = read("sbatch -N2 job.sh -N9 --nonsense 'open");
  EXPECT_EQ(args.nodes->min, 2U);
  EXPECT_EQ(read("srun -n4 ./a.out --mem=5").ntasks, 4U);
  EXPECT_EQ(read("sbatch -N2 -- -N9").nodes->min, 2U);
}

TEST(SubmitLine, WrapEndsTheOptionsUnlessItsCommandIsQuoted) {
  EXPECT_EQ(read("sbatch --wrap \"sleep 10\" -N2").nodes->min, 2U);
  EXPECT_EQ(read("sbatch --wrap='sleep 10' -N2").nodes->min, 2U);
  EXPECT_FALSE(read("sbatch --wrap sleep 10 -N2").nodes.has_value());
  EXPECT_FALSE(read("sbatch --wrap=sleep 10 -N2").nodes.has_value());
}

TEST(SubmitLine, ProgramsHaveTheirOwnOptions) {
  EXPECT_EQ(read("/opt/slurm/bin/srun --multi-prog -n2 --wait=30 x").ntasks, 2U);
  EXPECT_EQ(read("salloc --no-shell -K -n3").ntasks, 3U);
  EXPECT_EQ(read("sbatch --wait -n5 x").ntasks, 5U);
  EXPECT_EQ(read("-N1 --gres=gpu:4 -t 10").program, "");
  EXPECT_EQ(told("sbatch --multi-prog"), "s:3:8: error: sbatch has no option '--multi-prog'");
}

TEST(SubmitLine, EveryOptionOfTheTableIsFoundByItsOwnName) {
  for (const SubmitOption& option : submit_options()) {
    const FoundOption found = find_long_option(option.name, option.programs);
    ASSERT_NE(found.option, nullptr) << option.name;
    EXPECT_EQ(found.option->name, option.name);
    if (option.letter != 0) {
      ASSERT_NE(find_short_option(option.letter, option.programs), nullptr) << option.name;
    }
  }
}

TEST(SubmitLine, EachProgramHasEachLetterOnce) {
  for (const Programs program : {kSbatch, kSalloc, kSrun}) {
    std::string letters;
    for (const SubmitOption& option : submit_options()) {
      if (option.letter == 0 || (option.programs & program) == 0) continue;
      EXPECT_EQ(letters.find(option.letter), std::string::npos) << option.name;
      letters += option.letter;
    }
  }
}

struct Broken {
  const char* line;
  const char* finding;
};
class BrokenSubmitLine : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenSubmitLine, IsToldExactly) {
  EXPECT_EQ(told(GetParam().line), GetParam().finding);
}
INSTANTIATE_TEST_SUITE_P(
    Submit, BrokenSubmitLine,
    ::testing::Values(
        Broken{"python x.py",
               "s:3:1: error: 'python' is neither sbatch, salloc nor srun\n  hint: a submit line "
               "begins with one of them, or with an option"},
        Broken{"sbatch -N1 --partion=gpu",
               "s:3:12: error: sbatch has no option '--partion'\n  hint: did you mean "
               "'--partition'?"},
        Broken{"sbatch -N1 -y", "s:3:12: error: sbatch has no option '-y'"},
        Broken{"sbatch -N", "s:3:8: error: -N needs an argument"},
        Broken{"sbatch --hold=yes", "s:3:14: error: --hold takes no argument"},
        Broken{"sbatch -N x",
               "s:3:11: error: -N: 'x' is not a node count\n  hint: write -N 4 or -N 2-4"},
        Broken{"sbatch -N4-2",
               "s:3:10: error: -N: '4-2' is not a node count\n  hint: write -N 4 or -N 2-4"},
        Broken{"sbatch --nodes=0",
               "s:3:16: error: --nodes: '0' is not a node count\n  hint: write -N 4 or -N 2-4"},
        Broken{"sbatch -n 0", "s:3:11: error: -n: '0' is not a number above 0"},
        Broken{"sbatch -c many", "s:3:11: error: -c: 'many' is not a number above 0"},
        Broken{
            "sbatch --mem=lots",
            "s:3:14: error: --mem: 'lots' is not a size\n  hint: write 4000, 4000M or 4G; without "
            "a unit it is MB"},
        Broken{"sbatch -t soon",
               "s:3:11: error: -t: 'soon' is not a time limit\n  hint: write minutes, HH:MM:SS or "
               "D-HH:MM:SS"},
        Broken{"sbatch --gres=gpu:a100:2,gpu:x:y",
               "s:3:26: error: --gres: 'gpu:x:y' is not a GRES\n  hint: write gpu:2 or "
               "gpu:a100:2,shard:1"},
        Broken{"sbatch --gres=gpu=2",
               "s:3:15: error: --gres: 'gpu=2' is not a GRES\n  hint: write gpu:2 or "
               "gpu:a100:2,shard:1"},
        Broken{"sbatch --gpus=a100:",
               "s:3:15: error: --gpus: 'a100:' is not a GPU count\n  hint: write 4 or a100:4"},
        Broken{"sbatch --exclusive=node",
               "s:3:20: error: --exclusive: 'node' is not a way to be exclusive\n  hint: write "
               "--exclusive, --exclusive=user or =mcs"},
        Broken{"sbatch --array=5-1",
               "s:3:16: error: --array: '5-1' is not an index set\n  hint: write 0-9, 1,3,5 or "
               "0-99:2%10"},
        Broken{"sbatch -d afterokay:5",
               "s:3:11: error: -d: 'afterokay:5' is not a dependency\n  hint: did you mean "
               "'afterok'?"},
        Broken{
            "sbatch -d afterok:",
            "s:3:11: error: -d: 'afterok:' is not a dependency\n  hint: write afterok:123:124_5, "
            "or after:123+10"},
        Broken{"sbatch -d singleton:5",
               "s:3:11: error: -d: 'singleton:5' is not a dependency\n  hint: singleton stands "
               "alone"},
        Broken{"sbatch -d afterok:1,afterany:2+0",
               "s:3:21: error: -d: 'afterany:2+0' is not a dependency\n  hint: write "
               "afterok:123:124_5, or after:123+10"},
        Broken{"sbatch --switches=1@soon",
               "s:3:19: error: --switches: '1@soon' is not count[@max-time]"},
        Broken{"sbatch --nice=much",
               "s:3:15: error: --nice: 'much' is not a nice value\n  hint: a whole number within "
               "±2147483645"},
        Broken{"sbatch --kill-on-invalid-dep=maybe",
               "s:3:30: error: --kill-on-invalid-dep: 'maybe' is not yes or no"},
        Broken{
            "sbatch --mem=1G --mem-per-cpu=1G",
            "s:3:1: error: --mem and --mem-per-cpu exclude each other\n  hint: keep one of them"},
        Broken{"sbatch -c2 --cpus-per-gpu=4",
               "s:3:1: error: --cpus-per-task and --cpus-per-gpu exclude each other\n  hint: keep "
               "one of them"},
        Broken{"sbatch -B 2:x", "s:3:11: error: -B: '2:x' is not sockets[:cores[:threads]]"},
        Broken{"sbatch --hint=nomultithreads",
               "s:3:15: error: --hint: 'nomultithreads' is not a hint\n  hint: did you mean "
               "'nomultithread'?"},
        Broken{"sbatch --wrap hostname -N2",
               "s:3:24: warning: '-N2' is taken as part of the wrapped command\n  hint: quote the "
               "command, or put --wrap last"},
        Broken{"sbatch -N1 : -N2",
               "s:3:12: warning: the components of a heterogeneous job are not read\n  hint: each "
               "component is simulated as its own row of sacct"},
        Broken{"sbatch -J it's -N2",
               "s:3:13: warning: a quote that is never closed is read as a plain character"},
        Broken{"sbatch -n x --gres=gpu:1:2:3",
               "s:3:11: error: -n: 'x' is not a number above 0\ns:3:20: error: --gres: "
               "'gpu:1:2:3' is not a GRES\n  hint: write gpu:2 or gpu:a100:2,shard:1"}));

TEST(Dependency, EveryTypeOfTheReferenceIsTaken) {  // lifecycle.md §8
  for (const char* text :
       {"after:5", "after:5+10", "afterany:5:6", "afterok:5_3", "afternotok:5_*", "aftercorr:5",
        "afterburstbuffer:5", "expand:5", "singleton", "afterok:5,afterany:6?singleton"}) {
    EXPECT_EQ(read(std::string("sbatch -d ") + text).dependency, text);
  }
}

TEST(ArrayIndexes, StepsListsAndThrottle) {
  const auto set = parse_array_indexes("8,0-6:3,3%2");
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(set->indexes, (std::vector<std::uint32_t>{0, 3, 6, 8}));
  EXPECT_EQ(set->max_running, 2U);
  EXPECT_EQ(parse_array_indexes("5")->max_running, 0U);
  EXPECT_EQ(parse_array_indexes("[5-9]")->indexes.size(), 5U);
}

TEST(ArrayIndexes, AreBounded) {
  EXPECT_TRUE(parse_array_indexes("4000000").has_value());
  EXPECT_FALSE(parse_array_indexes("4000001").has_value());
  EXPECT_FALSE(parse_array_indexes("0-4294967295").has_value());
  for (const char* bad : {"", "a", "1-", "-1", "1:2", "1-5:0", "1,,2", "1%", "1%x", "1 - 2"}) {
    EXPECT_FALSE(parse_array_indexes(bad).has_value()) << bad;
  }
}

RC_GTEST_PROP(SubmitLine, TakesAnyBytes, (const std::string& bytes)) {
  Diagnostics found;
  (void)parse_submit_line("sbatch " + bytes, {"s", 1, 1}, found);
  (void)parse_submit_line(bytes, {}, found);
  (void)parse_array_indexes(bytes);
}

RC_GTEST_PROP(SubmitLine, TakesHalfRightWords, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "-N", "--gres=", "gpu:", "-t", " ", "=", "'", "\"", "\\", "--wrap", "-", "--", "--mem", ":",
      ",", "5", "-d", "afterok", "--array=", "%", "-HO", "\n"));
  std::string line = "sbatch ";
  for (const std::string& word : words) line += word;
  Diagnostics found;
  (void)parse_submit_line(line, {"s", 1, 1}, found);
  for (const Diagnostic& one : found.all()) RC_ASSERT(one.where.column <= line.size() + 1);
}

RC_GTEST_PROP(SubmitLine, QuotingChangesNothing, ()) {
  const auto name = *rc::gen::nonEmpty(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab \\c$\"x=-"))));
  std::string quoted = "'" + name + "'";
  Diagnostics found;
  RC_ASSERT(parse_submit_line("sbatch -J " + quoted + " -N2", {}, found).job_name == name);
}

}  // namespace
}  // namespace rehearse::test
