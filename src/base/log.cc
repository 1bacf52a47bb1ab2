#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>

namespace kernelbench::log {

namespace {

spdlog::logger& logger() {
  static const auto instance = [] {
    const bool color = std::getenv("NO_COLOR") == nullptr;
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(color ? spdlog::color_mode::automatic
                                                                           : spdlog::color_mode::never);
    auto made = std::make_shared<spdlog::logger>("kernelbench", std::move(sink));
    made->set_pattern("%^%l%$: %v");
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *instance;
}

} // namespace

void set_level(Level level) {
  logger().set_level(level == Level::quiet     ? spdlog::level::err
                     : level == Level::verbose ? spdlog::level::debug
                                               : spdlog::level::warn);
}

void debug(std::string_view message) { logger().debug(message); }
void warning(std::string_view message) { logger().warn(message); }
void error(std::string_view message) { logger().error(message); }

} // namespace kernelbench::log
