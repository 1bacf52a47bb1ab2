#include "base/line_printer.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace kernelbench {

LinePrinter::LinePrinter(std::FILE* stream) : stream_(stream), terminal_(::isatty(::fileno(stream)) == 1) {}

LinePrinter::~LinePrinter() { clear(); }

void LinePrinter::clear() {
  if (state_shown_) {
    std::fputs("\r\x1b[K", stream_);
    std::fflush(stream_);
    state_shown_ = false;
  }
}

void LinePrinter::state(const std::string& text) {
  if (!terminal_) {
    return;
  }
  winsize size{};
  const std::size_t width = ::ioctl(::fileno(stream_), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
  clear();
  std::fputs(text.substr(0, width).c_str(), stream_);
  std::fflush(stream_);
  state_shown_ = true;
}

void LinePrinter::line(const std::string& text) {
  clear();
  std::fputs((text + "\n").c_str(), stream_);
  std::fflush(stream_);
}

} // namespace kernelbench
