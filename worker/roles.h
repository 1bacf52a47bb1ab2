#pragma once

#include <string>

#include "protocol/channel.h"
#include "protocol/messages.h"

// What a forked child does. Each function serves its channel until the owner is done, and then returns.

namespace kernelbench::worker {

// Prepares the interpreter after the fork, plays the role and ends the process. `scratch` is the child's own directory.
[[noreturn]] void play_role(const protocol::Spawn& request, protocol::Channel channel, const std::string& scratch);

void run_runner(protocol::Channel& channel, const std::string& scratch);
void run_builder(protocol::Channel& channel, const std::string& scratch);
void run_compiler(protocol::Channel& channel, const std::string& scratch);

} // namespace kernelbench::worker
