#pragma once

#include <cstddef>
#include <string_view>

namespace kernelbench::task {

// How many characters to insert, delete or replace to make `b` of `a`; letters that differ in case only are the same.
// Takes time a.size() * b.size().
std::size_t edit_distance(std::string_view a, std::string_view b);

} // namespace kernelbench::task
