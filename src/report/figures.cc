#include "report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/file.h"

namespace kernelbench::report {

std::string significant(double value) {
  if (std::isnan(value)) {
    return "-";
  }
  const double size = std::abs(value);
  if (size == 0) {
    return "0";
  }
  if (!(size >= 1e-4 && size < 1e7)) {
    return fmt::format("{:.3g}", value);
  }
  const int digits_before_point = static_cast<int>(std::floor(std::log10(size))) + 1;
  return fmt::format("{:.{}f}", value, std::max(4 - digits_before_point, 0));
}

std::string share(const metric::Metric& metric) {
  if (!metric.interval) {
    return "-";
  }
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * metric.value, 100 * metric.interval->first,
                     100 * metric.interval->second);
}

std::string average(const metric::Metric& metric) {
  return metric.count == 0 ? "-" : fmt::format("{} ({})", significant(metric.value), metric.count);
}

std::string speedup(const TimingInfo& timing) {
  if (!(timing.speedup > 0)) {
    return "-";
  }
  if (!(timing.interval_high > 0)) {
    return significant(timing.speedup);
  }
  return fmt::format("{} [{}, {}]", significant(timing.speedup), significant(timing.interval_low),
                     significant(timing.interval_high));
}

std::string verdict(const Record& record) {
  if (record.fault || !record.outcome) {
    return "fault";
  }
  const std::string outcome(name_of(*record.outcome));
  return record.cause.empty() ? outcome : fmt::format("{}/{}", outcome, one_line(record.cause, 40));
}

std::string verdict(const metric::Slot& slot) {
  return slot.missing() ? "no record" : verdict(*slot.record);
}

std::string one_line(std::string_view text, std::size_t limit) {
  const std::string valid = to_valid_utf8(text);
  std::string line;
  std::size_t characters = 0;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const auto byte = static_cast<unsigned char>(valid[i]);
    const bool starts_character = (byte & 0xc0) != 0x80;
    if (starts_character && ++characters > limit) {
      return line + "...";
    }
    // U+0080 to U+009F are control characters too, two bytes each.
    const bool is_c1 = byte == 0xc2 && i + 1 < valid.size() && static_cast<unsigned char>(valid[i + 1]) < 0xa0;
    if (byte < 0x20 || byte == 0x7f || is_c1) {
      line += ' ';
      i += is_c1 ? 1 : 0;
    } else {
      line += valid[i];
    }
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

} // namespace kernelbench::report
