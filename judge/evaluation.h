#pragma once

#include "judge/memory.h"
#include "judge/runner.h"
#include "protocol/child.h"
#include "protocol/messages.h"

namespace kernelbench::judge {

// Evaluates one candidate: two fresh runners of the same kind, one for the reference and one for the candidate; fresh inputs
// drawn by the reference from seeds that only the judge knows; every output of the candidate, checked or timed, compared.
protocol::Verdict evaluate(const protocol::Evaluate& request, protocol::Zygote& zygote, Memory& memory);

} // namespace kernelbench::judge
