#pragma once

namespace kernelbench::cli {

// The command line. Exit status: 0 done; 1 --expect was not met; 2 wrong use or configuration; 3 a fault of the harness.
int main(int argc, char** argv);

} // namespace kernelbench::cli
