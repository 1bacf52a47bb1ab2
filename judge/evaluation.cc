#include "judge/evaluation.h"

#include <sys/random.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "judge/layout.h"

namespace kernelbench::judge {

using namespace protocol;

namespace {

constexpr double task_stage_s = 600;   // for the reference: a task that needs longer does not work
constexpr int warm_up_calls = 3;       // §C.1
constexpr int timed_calls = 100;       // §C.1

// The task, not the candidate, does not work.
struct BadTask {
  std::string message;
};
// The candidate failed, or the harness did.
struct Stopped {
  Failure failure;
};

template <class T>
T or_stop(OrFailure<T> result) {
  if (auto* failure = std::get_if<Failure>(&result)) {
    throw Stopped{std::move(*failure)};
  }
  return std::get<T>(std::move(result));
}

// The reference ran: its failures are the task's.
template <class T>
T or_bad_task(OrFailure<T> result) {
  if (auto* failure = std::get_if<Failure>(&result)) {
    if (failure->of_harness) {
      throw Stopped{std::move(*failure)};
    }
    throw BadTask{std::move(failure->message)};
  }
  return std::get<T>(std::move(result));
}

Failure wrong_output(const char* cause, std::string message) {
  return {{Outcome::wrong_output, cause, std::move(message)}};
}

bool is_integer(ElementType type) {
  return type != ElementType::f32 && type != ElementType::f64 && type != ElementType::f16 && type != ElementType::bf16;
}

Tolerance tolerance_for(const std::string& name, ElementType type) {
  if (is_integer(type)) {
    return {0, 0};
  }
  const bool half = type == ElementType::f16 || type == ElementType::bf16;
  const double both = name == "paper" || half ? 1e-2 : 1e-4;
  return {both, both};
}

// One side's runner, the memory it reads inputs from, and the memory it leaves its outputs in. Each side has its own: a
// candidate can write at any time to what it maps.
struct Side {
  std::unique_ptr<Runner> runner;
  std::unique_ptr<Block> inputs;
  std::unique_ptr<Block> outputs;
};

class Evaluation {
public:
  Evaluation(const Evaluate& request, Zygote& zygote, Memory& memory)
      : request_(request), zygote_(zygote), memory_(memory) {}

  Verdict run() {
    const double start = monotonic_seconds();
    try {
      random_.seed(secret_seed());
      try {
        load();
        check();
        if (verdict_.check.passed == verdict_.check.trials && request_.protocol != "none") {
          time();
        }
        conclude();
      } catch (const Stopped& stopped) {
        conclude(stopped.failure);
      }
    } catch (const BadTask& bad) {
      verdict_.verdict = Verdict::Kind::bad_task;
      verdict_.message = bad.message;
    } catch (const MemoryFault& fault) {
      verdict_.verdict = Verdict::Kind::fault_transient;
      verdict_.message = fault.what();
    }
    reference_.runner.reset();
    candidate_.runner.reset();
    verdict_.lease_s = monotonic_seconds() - start;
    return std::move(verdict_);
  }

private:
  static std::uint64_t secret_seed() {
    std::uint64_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
      throw MemoryFault("no random numbers from the kernel");
    }
    return seed;
  }

  // Seeds as torch and task files take them.
  std::uint64_t draw_seed() { return random_() >> 1; }

  void load() {
    const double start = monotonic_seconds();
    Spawn spawn;
    spawn.role = Role::runner;
    spawn.threads = request_.threads;
    spawn.disk_bytes = request_.disk_bytes;
    spawn.memory_bytes = request_.memory_bytes;
    spawn.processes = request_.processes;
    for (Side* side : {&reference_, &candidate_}) {
      if (auto failure = Runner::start(zygote_, spawn, side->runner)) {
        throw Stopped{std::move(*failure)};
      }
    }
    Load load;
    load.device = memory_.architecture().empty() ? "cpu" : "cuda";
    load.precision = request_.precision;
    load.weight_seed = draw_seed();
    load.source = request_.task_source;
    load.file_name = "task.py";
    load.class_name = "Model";
    reference_.runner->set_time_left(Runner::Stage::load, task_stage_s);
    const Loaded loaded = or_bad_task(reference_.runner->load(load));

    load.source = request_.candidate_source;
    load.file_name = "candidate.py";
    load.class_name = "ModelNew";
    load.init_inputs = loaded.init_inputs;
    load.units = request_.units;
    candidate_.runner->set_time_left(Runner::Stage::load, request_.load_s);
    const auto result = candidate_.runner->load(load);
    verdict_.load_s = monotonic_seconds() - start;
    or_stop(result);
  }

  void check() {
    const double start = monotonic_seconds();
    verdict_.checked = true;
    verdict_.check.trials = request_.trials;
    reference_.runner->set_time_left(Runner::Stage::check, task_stage_s);
    candidate_.runner->set_time_left(Runner::Stage::check, request_.check_s);
    try {
      for (int trial = 0; trial < request_.trials; ++trial) {
        draw_inputs();
        call_reference();
        if (trial == 0) {
          map_candidate();
        }
        const Called called = or_stop(call(candidate_));
        take_snapshot();
        if (auto failure = compare(called, trial)) {
          if (!first_failure_) {
            first_failure_ = std::move(failure);
          }
        } else {
          ++verdict_.check.passed;
        }
      }
    } catch (...) {
      verdict_.check_s = monotonic_seconds() - start;
      throw;
    }
    verdict_.check_s = monotonic_seconds() - start;
  }

  // Fresh inputs for the next call of each side, from a seed that nobody has seen.
  void draw_inputs() {
    const Drawn drawn = or_bad_task(reference_.runner->draw(draw_seed()));
    if (!reference_.inputs) {
      layout_inputs(drawn);
    } else if (!input_layout_.fits(drawn.values)) {
      throw BadTask{"get_inputs() gives other shapes or types from call to call"};
    }
    or_bad_task(reference_.runner->store(Store{input_layout_.values()}));
    memory_.copy(inputs_->data(), reference_.inputs->data(), inputs_->bytes());
    call_seed_ = draw_seed();
    arguments_ = drawn.values; // what is no tensor may change from draw to draw
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      arguments_[i].offset = input_layout_.values()[i].offset;
    }
  }

  // The reference's outputs for the inputs drawn last become what is expected.
  Called call_reference() {
    Called called = or_bad_task(call(reference_));
    if (!reference_.outputs) {
      layout_outputs(called); // only now it is known how much there is to store
      called = or_bad_task(call(reference_));
    }
    if (!called.stored || called.tuple != expected_tuple_) {
      throw BadTask{"forward() gives other shapes or types from call to call"};
    }
    reference_mutates_ = reference_mutates_ || !memory_.equal(reference_.inputs->data(), inputs_->data(), inputs_->bytes());
    memory_.copy(expected_outputs_->data(), reference_.outputs->data(), expected_.bytes());
    return called;
  }

  void layout_inputs(const Drawn& drawn) {
    for (const Value& value : drawn.values) {
      if (value.is_tensor && value.type == ElementType::other) {
        throw BadTask{"get_inputs() returns " + name_of(value.type)};
      }
    }
    input_layout_ = Layout(drawn.values);
    inputs_ = memory_.allocate(input_layout_.bytes());
    reference_.inputs = memory_.allocate_shared(input_layout_.bytes());
    or_bad_task(reference_.runner->map(Region::inputs, *reference_.inputs));
  }

  void layout_outputs(const Called& called) {
    std::vector<Value> outputs = called.outputs;
    for (Value& value : outputs) {
      if (!value.is_tensor || value.type == ElementType::other) {
        throw BadTask{"forward() returns " + name_of(value.type)};
      }
      // Outputs are handed over in contiguous order.
      std::int64_t stride = 1;
      for (std::size_t i = value.shape.size(); i-- > 0;) {
        value.strides[i] = stride;
        stride *= std::max<std::int64_t>(value.shape[i], 1);
      }
    }
    expected_ = Layout(std::move(outputs));
    expected_tuple_ = called.tuple;
    expected_outputs_ = memory_.allocate(expected_.bytes());
    snapshot_ = memory_.allocate(expected_.bytes());
    reference_.outputs = memory_.allocate_shared(expected_.bytes());
    or_bad_task(reference_.runner->map(Region::outputs, *reference_.outputs));
  }

  void map_candidate() {
    candidate_.inputs = memory_.allocate_shared(input_layout_.bytes());
    candidate_.outputs = memory_.allocate_shared(expected_.bytes());
    or_stop(candidate_.runner->map(Region::inputs, *candidate_.inputs));
    or_stop(candidate_.runner->map(Region::outputs, *candidate_.outputs));
  }

  // One call with the inputs drawn last, put afresh into the memory that the side reads, and a poisoned place for its outputs.
  OrFailure<Called> call(const Side& side) {
    memory_.copy(side.inputs->data(), inputs_->data(), inputs_->bytes());
    Call message;
    message.inputs = arguments_;
    message.seed = call_seed_;
    if (side.outputs) {
      memory_.poison(side.outputs->data(), side.outputs->bytes());
      message.outputs = expected_.values();
    }
    if (flush_before_calls_) {
      memory_.flush_cache();
    }
    return side.runner->call(message);
  }

  // What the candidate's process writes from now on changes nothing.
  void take_snapshot() {
    memory_.copy(snapshot_->data(), candidate_.outputs->data(), expected_.bytes());
    candidate_mutated_ = !memory_.equal(candidate_.inputs->data(), inputs_->data(), inputs_->bytes());
  }

  // What is wrong with the outputs that the candidate describes and that the snapshot holds, if anything.
  std::optional<Failure> compare(const Called& called, int trial) {
    const std::vector<Value>& expected = expected_.values();
    if (called.outputs.size() != expected.size()) {
      return wrong_output("count", std::to_string(called.outputs.size()) + " outputs, the reference has " +
                                       std::to_string(expected.size()));
    }
    if (called.tuple != expected_tuple_) {
      return wrong_output("type", called.tuple ? "the output is a tuple or list, the reference's is a tensor"
                                               : "the output is a tensor, the reference's is a tuple");
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (called.outputs[i].shape != expected[i].shape) {
        return wrong_output("shape", "output " + std::to_string(i) + " has shape " + text_of(called.outputs[i].shape) +
                                         ", the reference's has " + text_of(expected[i].shape));
      }
      if (called.outputs[i].type != expected[i].type) {
        return wrong_output("dtype", "output " + std::to_string(i) + " is " + name_of(called.outputs[i].type) +
                                         ", the reference's is " + name_of(expected[i].type));
      }
    }
    if (!called.stored) {
      return Failure{{Outcome::cheated, "protocol_violation", "the outputs were not handed over"}};
    }
    std::optional<Failure> failure;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Value& value = expected[i];
      const Comparison found =
          memory_.compare(expected_outputs_->data() + value.offset, snapshot_->data() + value.offset, value.type,
                          element_count(value.shape), tolerance_for(request_.tolerance, value.type));
      note(found, trial, static_cast<int>(i));
      if (found.mismatches > 0 && !failure) {
        failure = wrong_output(found.not_finite > 0 ? "nan" : "value",
                               std::to_string(found.mismatches) + " of " + std::to_string(element_count(value.shape)) +
                                   " elements of output " + std::to_string(i) + " differ; worst at index " +
                                   std::to_string(found.worst_index) + ": expected " + std::to_string(found.worst_expected) +
                                   ", got " + std::to_string(found.worst_got));
      }
    }
    if (!failure && !reference_mutates_ && candidate_mutated_) {
      failure = wrong_output("input_mutated", "an input was changed, which the reference does not do");
    }
    return failure;
  }

  void note(const Comparison& found, int trial, int output) {
    Check& check = verdict_.check;
    check.max_abs_error = std::max(check.max_abs_error, found.max_abs_error);
    check.max_rel_error = std::max(check.max_rel_error, found.max_rel_error);
    check.mismatches += static_cast<std::int64_t>(found.mismatches);
    if (found.mismatches > 0 && !check.has_worst) {
      check.has_worst = true;
      check.worst_trial = trial;
      check.worst_output = output;
      check.worst_index = static_cast<std::int64_t>(found.worst_index);
      check.worst_expected = found.worst_expected;
      check.worst_got = found.worst_got;
    }
  }

  void time() {
    const double start = monotonic_seconds();
    flush_before_calls_ = true;
    reference_.runner->set_time_left(Runner::Stage::time, task_stage_s);
    candidate_.runner->set_time_left(Runner::Stage::time, request_.time_s);
    try {
      for (int i = 0; i < warm_up_calls + timed_calls; ++i) {
        // Every call has inputs of its own; who goes first alternates: reference, candidate, candidate, reference, ...
        draw_inputs();
        time_pair(i % 2 == 0, i >= warm_up_calls);
      }
    } catch (...) {
      verdict_.time_s = monotonic_seconds() - start;
      throw;
    }
    verdict_.timed = true;
    const auto sum = [](const std::vector<double>& seconds) {
      double total = 0;
      for (const double s : seconds) {
        total += s;
      }
      return total;
    };
    verdict_.wall_over_event = sum(candidate_wall_s_) / std::max(sum(verdict_.candidate_s), 1e-12);
    verdict_.time_s = monotonic_seconds() - start;
  }

  void time_pair(bool reference_first, bool counted) {
    double reference_s = 0;
    if (reference_first) {
      reference_s = call_reference().seconds;
    }
    const Called called = or_stop(call(candidate_));
    const double wall_s = candidate_.runner->last_request_s();
    take_snapshot();
    if (!reference_first) {
      reference_s = call_reference().seconds;
    }
    if (auto failure = compare(called, request_.trials)) {
      failure->message = "in a timed call: " + failure->message;
      throw Stopped{std::move(*failure)};
    }
    // Its own clock can only show less than ours.
    if (!std::isfinite(called.seconds) || called.seconds < 0 || called.seconds > wall_s) {
      throw Stopped{{{Outcome::cheated, "clock_disagreement",
                      "a call is said to have taken " + std::to_string(called.seconds) + " s; the judge waited " +
                          std::to_string(wall_s) + " s for it"}}};
    }
    if (counted) {
      verdict_.reference_s.push_back(reference_s);
      verdict_.candidate_s.push_back(called.seconds);
      candidate_wall_s_.push_back(wall_s);
    }
  }

  void conclude() {
    if (first_failure_) {
      conclude(*first_failure_);
      return;
    }
    verdict_.verdict = Verdict::Kind::outcome;
    verdict_.outcome = Outcome::correct;
  }

  void conclude(const Failure& failure) {
    verdict_.verdict = failure.of_harness ? Verdict::Kind::fault_transient : Verdict::Kind::outcome;
    verdict_.outcome = failure.outcome;
    verdict_.cause = failure.cause;
    verdict_.message = failure.message;
  }

  const Evaluate& request_;
  Zygote& zygote_;
  Memory& memory_;
  std::mt19937_64 random_;
  Side reference_;
  Side candidate_;
  Layout input_layout_;
  Layout expected_;
  bool expected_tuple_ = false;
  bool reference_mutates_ = false;
  bool flush_before_calls_ = false;
  // In memory that no runner sees:
  std::unique_ptr<Block> inputs_;           // drawn last
  std::unique_ptr<Block> expected_outputs_; // of the reference for them
  std::unique_ptr<Block> snapshot_;         // of the candidate's outputs
  std::vector<Value> arguments_;            // places in the inputs region, or pickled
  std::uint64_t call_seed_ = 0;
  bool candidate_mutated_ = false; // its inputs, in its last call
  std::optional<Failure> first_failure_;
  std::vector<double> candidate_wall_s_;
  Verdict verdict_;
};

} // namespace

Verdict evaluate(const Evaluate& request, Zygote& zygote, Memory& memory) {
  return Evaluation(request, zygote, memory).run();
}

} // namespace kernelbench::judge
