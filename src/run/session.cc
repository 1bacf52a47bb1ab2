#include "run/session.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/version.h"

namespace kernelbench::run {

namespace {

constexpr int attempts = 3; // of the harness's own work
constexpr std::size_t kept_message = 32u << 10;

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string host_name_and_kernel() {
  utsname name{};
  ::uname(&name);
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

// The device as CUDA_VISIBLE_DEVICES names it; empty on a CPU, or when there is no such GPU.
std::string visible_gpu(const device::Device& device) {
  const auto gpus = device::gpus_present();
  const auto index = static_cast<std::size_t>(device.index);
  return device.cuda && index < gpus.size() ? gpus[index] : std::string();
}

std::vector<std::string> architectures_of(const device::Device& device) {
  if (!device.cuda) {
    return {};
  }
  const Output output = run_program(
      {"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader", "--id=" + visible_gpu(device)}, 20);
  const std::string line = output.text.substr(0, output.text.find('\n'));
  return output.exit_status == 0 && !line.empty() ? std::vector<std::string>{line} : std::vector<std::string>{};
}

build::BuilderOptions builder_options(const SessionOptions& options) {
  build::BuilderOptions builder;
  builder.sandbox = options.sandbox;
  builder.device = options.device.cuda ? "cuda" : "cpu";
  builder.architectures = architectures_of(options.device);
  return builder;
}

} // namespace

std::unique_ptr<Session> Session::open(const Installation& installation, const SessionOptions& options) {
  auto python = sandbox::describe_python(installation.python());
  if (!python) {
    throw UserError(python.fault().message);
  }
  if (options.device.cuda) {
    if (visible_gpu(options.device).empty()) {
      throw UserError(fmt::format("there is no GPU {} here ({} present): choose another --device, or see 'kernelbench doctor'",
                                  options.device.index, device::gpus_present().size()));
    }
    if (python->torch_cuda.empty()) {
      throw UserError(fmt::format("torch {} of {} was built without CUDA: run script/setup with PYTHON=/path/to/python of an "
                                  "interpreter whose torch has it",
                                  python->torch, python->interpreter.string()));
    }
  }
  if (options.sandbox == sandbox::Profile::namespaces) {
    if (const auto why = sandbox::why_no_namespaces()) {
      throw UserError(fmt::format("candidates are not run without a sandbox: {}. Or give --sandbox off for candidates that you "
                                  "trust",
                                  *why));
    }
  }
  return std::unique_ptr<Session>(new Session(installation, std::move(*python), options));
}

Session::Session(Installation installation, sandbox::PythonEnvironment python, SessionOptions options)
    : installation_(std::move(installation)), python_(std::move(python)), options_(std::move(options)),
      builder_(installation_, python_, build::Cache(cache_directory()), builder_options(options_)) {
  set_request(options_.request);
}

void Session::set_request(const evaluate::Request& request) {
  options_.request = request;
  const std::int64_t machine_mb = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE) >> 20;
  std::int64_t& limit_mb = options_.request.limits.memory_mb;
  limit_mb = std::min(limit_mb, machine_mb * 3 / 4);
}

void Session::warm_up(bool builds) {
  if (const auto fault = start_station()) {
    log::debug(fault->message); // evaluate() tries again, and reports it
  }
  if (builds) {
    builder_.warm_up();
  }
}

std::optional<Fault> Session::start_station() {
  if (station_ && station_->alive()) {
    return std::nullopt;
  }
  evaluate::StationOptions options;
  options.sandbox = options_.sandbox;
  options.device = options_.device;
  options.visible_gpu = visible_gpu(options_.device);
  options.read_only = {builder_.cache().units_directory()};
  auto started = evaluate::Station::start(installation_, python_, options);
  if (!started) {
    return started.fault();
  }
  station_ = std::make_unique<evaluate::Station>(std::move(*started));
  return std::nullopt;
}

Result<evaluate::Station*> Session::station() {
  if (auto fault = start_station()) {
    return *fault;
  }
  if (auto fault = station_->wait_ready()) {
    return *fault;
  }
  return station_.get();
}

void Session::stop_builds() {
  builds_stopped_ = true;
  builder_.stop();
}

Result<build::Build> Session::build(const Task& task, const Candidate& candidate) {
  for (int attempt = 1;; ++attempt) {
    auto built = builder_.build(task, candidate, options_.request.limits);
    if (built || built.fault().kind == Fault::Kind::permanent || attempt == attempts || builds_stopped_) {
      return built;
    }
    log::warning(fmt::format("build of a candidate for {}: {}; trying again", task.id, built.fault().message));
  }
}

Record Session::new_record(const std::string& run, const Task& task) const {
  Record record;
  record.run = run;
  record.task_id = task.id;
  record.task_name = task.name;
  record.task_level = task.level;
  record.task_preset = task.preset;
  record.task_sha256 = task.sha256;
  Provenance& provenance = record.provenance;
  provenance.device = options_.device.text();
  provenance.torch = python_.torch;
  provenance.cuda = python_.torch_cuda;
  provenance.python = python_.python;
  provenance.compiler = builder_.compiler();
  provenance.sandbox = std::string(sandbox::name_of(options_.sandbox));
  provenance.harness = harness_version;
  provenance.host = host_name_and_kernel();
  provenance.created = utc_now();
  provenance.limits = options_.request.limits;
  return record;
}

Record Session::not_extracted(const std::string& run, const Task& task, int sample, const std::string& cause,
                              const std::string& message) const {
  Record record = new_record(run, task);
  record.sample = sample;
  record.outcome = Outcome::not_extracted;
  record.cause = cause;
  record.message = message;
  record.id = record_id(run, task, sample, {});
  return record;
}

SessionRecord Session::evaluate(const std::string& run, const Task& task, const Candidate& candidate,
                                const Result<build::Build>& built) {
  const double start = monotonic_seconds();
  SessionRecord result{new_record(run, task)};
  Record& record = result.record;
  record.candidate_sha256 = candidate.sha256;
  record.candidate_path = candidate.path;
  record.candidate_language = candidate.language;
  record.sample = candidate.sample;
  record.id = record_id(run, task, candidate.sample, candidate.sha256);
  if (!built) {
    record.fault = built.fault().message;
    return result;
  }
  record.build = built->info;
  record.stages.build_s = built->info.seconds;
  if (built->failure) {
    record.outcome = built->failure->outcome;
    record.cause = built->failure->cause;
    record.message = cut_middle(to_valid_utf8(built->failure->message), kept_message);
    record.stages.total_s = record.stages.build_s;
    return result;
  }
  for (int attempt = 1;; ++attempt) {
    std::optional<Fault> fault;
    if (auto ready = station(); !ready) {
      fault = ready.fault();
    } else if (auto evaluated = (*ready)->evaluate(task, candidate, built->units, options_.request); !evaluated) {
      fault = evaluated.fault();
    } else {
      const protocol::JudgeReady& judge = (*ready)->ready();
      record.provenance.device_name = judge.device_name;
      record.provenance.driver = judge.driver;
      record.provenance.threads = (*ready)->threads();
      record.outcome = evaluated->outcome;
      record.cause = evaluated->cause;
      record.message = evaluated->message;
      record.check = evaluated->check;
      record.timing = evaluated->timing;
      record.stages = evaluated->stages;
      record.stages.build_s = built->info.seconds;
      if (!evaluated->bad_task.empty()) {
        result.task_is_bad = true;
        record.fault = "the task itself does not work: " + evaluated->bad_task;
        record.message.clear();
      }
      break;
    }
    if (fault->kind == Fault::Kind::permanent || attempt == attempts) {
      record.fault = fault->message;
      break;
    }
    log::warning(fmt::format("evaluation of a candidate for {}: {}; trying again", task.id, fault->message));
  }
  record.stages.total_s = record.stages.build_s + monotonic_seconds() - start;
  return result;
}

std::string record_id(const std::string& run, const Task& task, std::optional<int> sample, const std::string& candidate_sha256) {
  const std::string sample_text = sample ? std::to_string(*sample) : "";
  return sha256_hex(run + "\n" + task.id + "\n" + task.sha256 + "\n" + sample_text + "\n" + candidate_sha256).substr(0, 16);
}

} // namespace kernelbench::run
