// sim/controller/reboot_command.cpp — reading `scontrol reboot` and `scontrol cancel_reboot`.
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/command_text.hpp"

namespace rehearse {

std::optional<AdminAction> read_reboot(CommandText& text) {
  RebootNodes reboot;
  std::string list;
  for (std::size_t i = 2; i < text.words.size(); ++i) {
    const std::string& word = text.words[i];
    const std::size_t equals = word.find('=');
    const std::string key = to_lower(std::string_view(word).substr(0, equals));
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "asap" && equals == std::string::npos) {
      reboot.asap = true;
    } else if (key == "nextstate") {
      const std::string next = to_lower(value);
      if (next != "resume" && next != "down") {
        return text.fail(fmt::format("nextstate '{}' is not known", shortened(value)),
                         "nextstate=RESUME or nextstate=DOWN");
      }
      reboot.next = next == "down" ? RebootNodes::Next::Down : RebootNodes::Next::Resume;
    } else if (key == "reason" && equals != std::string::npos) {
      reboot.reason = value;
    } else if (equals == std::string::npos && list.empty()) {
      list = word;
    } else {
      return text.fail(fmt::format("scontrol reboot: '{}' is not known", shortened(word)),
                       "scontrol reboot ASAP nextstate=RESUME n[01-04]");
    }
  }
  if (list.empty()) return text.fail("no node is named", "scontrol reboot n[01-04], or ALL");
  auto nodes = nodes_of(text, list);
  if (!nodes) return std::nullopt;
  if (!text.cluster.conf.has_reboot_program) {
    return text.fail("slurm.conf has no RebootProgram: no node would come back from a reboot",
                     "RebootProgram=…; how long it takes is power.boot_time of site.yaml");
  }
  reboot.nodes = std::move(*nodes);
  return reboot;
}

std::optional<AdminAction> read_cancel_reboot(CommandText& text) {
  if (text.words.size() != 3) {
    return text.fail("scontrol cancel_reboot takes one list of nodes",
                     "scontrol cancel_reboot n[01-04]");
  }
  auto nodes = nodes_of(text, text.words[2]);
  if (!nodes) return std::nullopt;
  UpdateNodes update;
  update.nodes = std::move(*nodes);
  update.change.to = NodeStateChange::To::CancelReboot;
  return update;
}

}  // namespace rehearse
