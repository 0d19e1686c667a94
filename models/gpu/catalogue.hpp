// models/gpu/catalogue.hpp — what GPUs are: figures of each model, its MIG profiles, the names that
// sites give it.
//
// The catalogue stands in models/gpu/*.yaml, every figure with its mark (gpu-models.md), and is
// part of the program: an installed binary needs no file. `gpu_models:` of site.yaml adds models or
// replaces one of the same name. A figure that a file leaves out is 0: not known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/gpu/gpu_type.hpp"
#include "sim/config/gpu_conf.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// A kind of MIG instance of one model (gpu-models.md §2.2).
struct MigProfile {
  std::string name;           ///< `1g.5gb+me`, as the driver lists it
  std::uint32_t compute = 0;  ///< compute slices
  std::uint32_t sms = 0;
  std::uint32_t memory_slices = 0;    ///< it takes [start, start + memory_slices)
  std::vector<std::uint32_t> starts;  ///< ascending
  std::uint64_t memory_mib = 0;
  bool media = false;  ///< `+me`: at most one such instance a GPU
  std::string mark;    ///< V, M, D, C or U, and its source
};

struct GpuModel {
  std::string name, title;
  std::vector<std::string> aliases;     ///< other names of it; several models may share one
  std::vector<std::string> default_of;  ///< those of its aliases that mean it where nothing decides
  std::uint32_t sms = 0;
  std::uint32_t sms_with_mig = 0;  ///< usable once MIG is on
  std::uint64_t memory_mib = 0;
  std::uint32_t bandwidth_gb_s = 0;                       ///< of memory, decimal [GB/s]
  std::uint32_t power_cap_w = 0, idle_w = 0;              ///< [W]
  double fp16_tf = 0, fp64_tf = 0, fp64_tensor_tf = 0;    ///< dense [TFLOPS]
  std::uint32_t compute_slices = 0, memory_slices = 0;    ///< 0: no MIG
  std::vector<MigProfile> profiles;                       ///< as listed
  std::map<std::string, std::string, std::less<>> marks;  ///< by figure; a user's may have none
  std::string source;
  SourcePosition where;

  [[nodiscard]] bool has_mig() const { return !profiles.empty(); }
  /// The profile of that very name, or null.
  [[nodiscard]] const MigProfile* find_profile(std::string_view profile) const;
  /// The profile that a Type means. AutoDetect of 22.05 rounds the memory, so that 3g.40gb may read
  /// 3g.39gb (gres.md §5.3): the nearest of the same compute slices, less than 1 GiB away.
  [[nodiscard]] const MigProfile* find_profile(const MigTypeText& mig) const;
};

/// A whole node as a vendor sells it (gpu-models.md §3).
struct NodeShape {
  std::string name, title, gpu, mark;
  std::uint32_t gpus = 0, sockets = 0, cores_per_socket = 0, threads_per_core = 0;
};

/// What a Type, or a name of node_hardware, stands for.
struct GpuMeaning {
  const GpuModel* model = nullptr;      ///< null: of no model that is known
  const MigProfile* profile = nullptr;  ///< null: a whole device
  bool assumed = false;                 ///< other models bear the name too: this one is the default
};

class GpuCatalogue {
 public:
  /// The bundled models and those of `own`, read from their files. What is wrong with those is told
  /// with file:line:column in `found`.
  GpuCatalogue(const GpuConf& own, Diagnostics& found);

  [[nodiscard]] const std::vector<GpuModel>& models() const { return models_; }
  [[nodiscard]] const std::vector<NodeShape>& shapes() const { return shapes_; }
  [[nodiscard]] const GpuModel* find(std::string_view name) const;
  [[nodiscard]] const NodeShape* find_shape(std::string_view name) const;
  /// A model by its name or an alias, however a site spells it: `A100`, `nvidia_a100_1g.5gb`. A MIG
  /// part that only some of the models so called have decides between them, as do those of its
  /// neighbours of the same model: `beside`.
  [[nodiscard]] GpuMeaning meaning_of(std::string_view type,
                                      const std::vector<MigTypeText>& beside = {}) const;
  /// The models that bear a name or alias, in order of the catalogue.
  [[nodiscard]] std::vector<const GpuModel*> called(std::string_view name) const;
  /// File and text of a user's own files, for the record of a run.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& sources() const {
    return sources_;
  }
  /// `did you mean`, over all models and shapes.
  [[nodiscard]] std::string nearest(std::string_view name) const;

 private:
  void add_file(const std::string& file, std::string_view text, Diagnostics& found);

  std::vector<GpuModel> models_;
  std::vector<NodeShape> shapes_;
  std::vector<std::pair<std::string, std::string>> sources_;
};

}  // namespace rehearse
