#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "domain/limits.h"
#include "domain/outcome.h"
#include "protocol/element_type.h"

// Every message between the three programs, defined once.
//
//   kernelbench -> judge            Evaluate -> Verdict                         (JudgeReady first)
//   judge, kernelbench -> zygote    Spawn, with two sockets for the child       (ZygoteReady first)
//   judge -> runner                 Load -> Loaded | Failed;  Draw -> Drawn;  Map -> Mapped;  Call -> Called | Failed
//   kernelbench -> builder          ImportCandidate -> (NeedUnit -> UnitBuilt)* -> Imported | Failed
//   kernelbench -> compiler         CompileUnit -> UnitCompiled (with the library's descriptor) | Failed
//   guard of a child -> its owner   ChildExit, when the child is gone
//
// What a runner or a builder sends is hostile: each receiver accepts only the kinds it waits for.

#define KERNELBENCH_MESSAGE(number, ...)                                                                               \
  static constexpr std::uint32_t kind = number;                                                                        \
  static void visit(auto& self, auto&& f) {                                                                            \
    auto& [__VA_ARGS__] = self;                                                                                        \
    f(__VA_ARGS__);                                                                                                    \
  }

namespace kernelbench::protocol {

// ---- zygote and its children ------------------------------------------------------------------------------------

struct ZygoteReady {
  std::string torch;
  std::string cuda; // that torch was built for, or empty
  std::string python;
  KERNELBENCH_MESSAGE(1, torch, cuda, python)
};

enum class Role : std::uint8_t { builder, compiler, runner };

// Asks the zygote for a child. Two descriptors travel along: the child's channel, and the guard's. When the owner's end of
// the guard channel closes, the guard kills the child and everything that it started.
struct Spawn {
  Role role = Role::runner;
  std::int64_t memory_bytes = 0;
  std::int64_t processes = 0;
  std::int64_t disk_bytes = 0;
  int threads = 1;
  KERNELBENCH_MESSAGE(2, role, memory_bytes, processes, disk_bytes, threads)
};

// The last thing said of a child.
struct ChildExit {
  enum class How : std::uint8_t { exited, signalled, memory_limit, process_limit, not_started };
  How how = How::exited;
  int code = 0; // exit status or signal
  std::int64_t peak_memory_bytes = 0;
  std::int64_t output_bytes = 0; // written to standard output and error, of which `output` is the head and the tail
  std::string output;
  KERNELBENCH_MESSAGE(3, how, code, peak_memory_bytes, output_bytes, output)
};

// The first thing a child says: it is confined and serves. A child that ends before this is the harness's fault.
struct ChildReady {
  bool confined = false;
  KERNELBENCH_MESSAGE(4, confined)
};

// ---- runner -----------------------------------------------------------------------------------------------------

// A unit of a candidate that was compiled before: where the library lies, or why there is none.
struct Unit {
  std::string digest;
  std::string path; // empty when the build failed
  std::string log;
  static void visit(auto& self, auto&& f) { f(self.digest, self.path, self.log); }
};

struct Load {
  std::string source;
  std::string file_name; // for tracebacks
  std::string class_name; // Model or ModelNew
  std::string device; // cpu or cuda
  std::string precision; // fp32, tf32, bf16, fp16
  std::uint64_t weight_seed = 0;
  std::string init_inputs; // pickled list; empty: the source's own get_init_inputs() is called
  std::vector<Unit> units;
  KERNELBENCH_MESSAGE(10, source, file_name, class_name, device, precision, weight_seed, init_inputs, units)
};

struct Loaded {
  std::string init_inputs; // pickled; only of a reference
  KERNELBENCH_MESSAGE(11, init_inputs)
};

// What Python code did instead of what it was asked for.
struct Failed {
  enum class Kind : std::uint8_t {
    exception,     // raised by the code itself
    syntax,        // the source does not compile as Python
    no_class,      // the class is not defined
    import,        // raised while the module was imported
    build,         // an extension unit failed to build
    host_memory,
    device_memory,
    disk,
    processes,
    exit, // SystemExit
    not_a_tensor, // the output, or a part of it
    output_device // an output lies elsewhere
  };
  Kind failure = Kind::exception;
  std::string type; // of the exception
  std::string message;
  std::string traceback; // cut
  KERNELBENCH_MESSAGE(12, failure, type, message, traceback)
};

// One forward argument or one output. A tensor has a place in a region; anything else travels pickled.
struct Value {
  bool is_tensor = false;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides; // elements
  std::int64_t bytes = 0;            // of storage that the strides span
  std::int64_t offset = 0;           // bytes, in the region
  std::string pickled;
  static void visit(auto& self, auto&& f) {
    f(self.is_tensor, self.type, self.shape, self.strides, self.bytes, self.offset, self.pickled);
  }
};

// Draw fresh inputs with this seed. Only a reference is asked.
struct Draw {
  std::uint64_t seed = 0;
  KERNELBENCH_MESSAGE(13, seed)
};
struct Drawn {
  std::vector<Value> values; // offsets are not set yet
  KERNELBENCH_MESSAGE(14, values)
};

// Judge-owned memory that the runner maps. On a CPU the memory's descriptor travels along; on a GPU `handle` is a CUDA IPC handle.
enum class Region : std::uint8_t { inputs, outputs };
struct Map {
  Region region = Region::inputs;
  std::int64_t bytes = 0;
  std::string handle;
  KERNELBENCH_MESSAGE(15, region, bytes, handle)
};
struct Mapped {
  bool ok = false;
  KERNELBENCH_MESSAGE(16, ok)
};

// Copy the inputs drawn last into the inputs region, at the offsets given.
struct Store {
  std::vector<Value> values;
  KERNELBENCH_MESSAGE(17, values)
};
struct Stored {
  bool ok = false;
  KERNELBENCH_MESSAGE(18, ok)
};

// One forward call. Every call looks the same to the runner, be it a check, a warm-up or timed.
struct Call {
  std::vector<Value> inputs;
  std::vector<Value> outputs; // where outputs go; empty: only describe them
  std::uint64_t seed = 0;     // of the random number generator during the call
  KERNELBENCH_MESSAGE(19, inputs, outputs, seed)
};
struct Called {
  double seconds = 0; // by the runner's clock: CUDA events on a GPU, the steady clock on a CPU
  bool tuple = false;  // the output was a tuple or list
  bool stored = false; // the outputs were copied into the outputs region
  std::vector<Value> outputs;
  KERNELBENCH_MESSAGE(20, seconds, tuple, stored, outputs)
};

// ---- builder ----------------------------------------------------------------------------------------------------

struct ImportCandidate {
  std::string source;
  std::string file_name;
  std::string task_source; // for get_init_inputs(): a candidate may build its units in its constructor
  std::vector<std::string> architectures; // "9.0"
  KERNELBENCH_MESSAGE(30, source, file_name, task_source, architectures)
};
// `specification` is JSON text that says everything the unit is made of; its digest is the unit's name in the cache.
struct NeedUnit {
  std::string specification;
  KERNELBENCH_MESSAGE(31, specification)
};
struct UnitBuilt {
  Unit unit;
  KERNELBENCH_MESSAGE(32, unit)
};
struct Imported {
  bool constructed = false;
  KERNELBENCH_MESSAGE(33, constructed)
};

struct CompileUnit {
  std::string specification;
  std::vector<std::string> architectures;
  KERNELBENCH_MESSAGE(34, specification, architectures)
};
struct UnitCompiled {
  std::string name; // file name of the library whose descriptor comes with this message
  KERNELBENCH_MESSAGE(35, name)
};

// ---- judge ------------------------------------------------------------------------------------------------------

struct JudgeReady {
  std::string device_name;
  std::string driver; // CUDA driver version, or empty
  std::string architecture; // "9.0", or empty
  std::string torch;
  std::string cuda;
  std::string python;
  KERNELBENCH_MESSAGE(40, device_name, driver, architecture, torch, cuda, python)
};

struct Evaluate {
  std::string task_source;
  std::string candidate_source;
  std::vector<Unit> units;
  std::string protocol; // paper | none
  std::string tolerance; // paper | upstream
  std::string precision;
  int trials = 5;
  int threads = 1;
  double load_s = 0;
  double check_s = 0;
  double time_s = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t processes = 0;
  std::int64_t disk_bytes = 0;
  KERNELBENCH_MESSAGE(41, task_source, candidate_source, units, protocol, tolerance, precision,
                      trials, threads, load_s, check_s, time_s, memory_bytes, processes, disk_bytes)
};

struct Check {
  int trials = 0;
  int passed = 0;
  double max_abs_error = 0;
  double max_rel_error = 0;
  std::int64_t mismatches = 0;
  bool has_worst = false;
  int worst_trial = 0;
  int worst_output = 0;
  std::int64_t worst_index = 0;
  double worst_expected = 0;
  double worst_got = 0;
  static void visit(auto& self, auto&& f) {
    f(self.trials, self.passed, self.max_abs_error, self.max_rel_error, self.mismatches, self.has_worst,
      self.worst_trial, self.worst_output, self.worst_index, self.worst_expected, self.worst_got);
  }
};

// The evaluation's end: an outcome, or a fault of the harness, or a task that does not work.
struct Verdict {
  enum class Kind : std::uint8_t { outcome, fault_transient, fault_permanent, bad_task };
  Kind verdict = Kind::fault_permanent;
  Outcome outcome = Outcome::crashed;
  std::string cause;
  std::string message;
  bool checked = false;
  Check check;
  bool timed = false;
  std::vector<double> reference_s; // timed calls
  std::vector<double> candidate_s;
  double wall_over_event = 0;
  double load_s = 0;
  double check_s = 0;
  double time_s = 0;
  double lease_s = 0;
  KERNELBENCH_MESSAGE(43, verdict, outcome, cause, message, checked, check, timed, reference_s, candidate_s,
                      wall_over_event, load_s, check_s, time_s, lease_s)
};

} // namespace kernelbench::protocol
