#include "task/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "base/result.h"
#include "task/edit_distance.h"
#include "task/file_name.h"

namespace kernelbench::task {

namespace fs = std::filesystem;

namespace {

std::vector<fs::directory_entry> list(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::directory_entry> found;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    found.push_back(*it);
  }
  if (error) {
    throw UserError(fmt::format("task directory {}: {}", directory.string(), error.message()));
  }
  return found;
}

bool is_task_file(const fs::directory_entry& file) {
  std::error_code error;
  const std::string name = file.path().filename().string();
  return file.path().extension() == ".py" && name[0] != '.' && name[0] != '_' && file.is_regular_file(error);
}

void add_tasks(const fs::path& directory, std::vector<Entry>& entries) {
  const int level = level_of_directory(directory);
  for (const fs::directory_entry& file : list(directory)) {
    if (!is_task_file(file)) {
      continue;
    }
    Entry entry;
    entry.name = file.path().stem().string();
    entry.level = level;
    entry.number = number_in_name(entry.name);
    entry.path = file.path();
    const std::string in_level = entry.number > 0 ? std::to_string(entry.number) : entry.name;
    entry.id = level > 0 ? fmt::format("level{}/{}", level, in_level) : entry.name;
    entries.push_back(std::move(entry));
  }
}

void refuse_equal_ids(const std::vector<Entry>& entries) {
  std::map<std::string_view, const Entry*> by_id;
  for (const Entry& entry : entries) {
    if (const auto [other, is_new] = by_id.emplace(entry.id, &entry); !is_new) {
      throw UserError(fmt::format("two task files are {}: {} and {}; give one of them another number", entry.id,
                                  other->second->path.string(), entry.path.string()));
    }
  }
}

// "1/19" for "level1/19"; empty where there is no such form.
std::string short_id(const Entry& entry) {
  return entry.level > 0 && entry.number > 0 ? fmt::format("{}/{}", entry.level, entry.number) : std::string();
}

std::string_view without_extension(std::string_view name) {
  return name.size() > 3 && name.substr(name.size() - 3) == ".py" ? name.substr(0, name.size() - 3) : name;
}

// "*" stands for any text, "?" for one character. Goes back to the latest "*" only, which is enough.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool has_wildcard(std::string_view pattern) {
  return pattern.find_first_of("*?") != std::string_view::npos;
}

bool matches_entry(std::string_view pattern, const Entry& entry) {
  const std::string short_form = short_id(entry);
  return matches(pattern, entry.id) || matches(without_extension(pattern), entry.name) ||
         (!short_form.empty() && matches(pattern, short_form));
}

std::string shown(const Entry& entry) {
  return entry.id == entry.name ? entry.id : fmt::format("{} ({})", entry.id, entry.name);
}

// How far a misspelt `spec` is from what the entry is called; a part of the name is near.
std::size_t distance(std::string_view spec, const Entry& entry) {
  const std::string_view name = entry.name;
  const std::size_t underscore = entry.number > 0 ? name.find('_') : std::string_view::npos;
  const std::string_view bare = underscore == std::string_view::npos ? name : name.substr(underscore + 1);
  std::size_t least = std::min({edit_distance(spec, entry.id), edit_distance(spec, name), edit_distance(spec, bare)});
  if (const std::string short_form = short_id(entry); !short_form.empty()) {
    least = std::min(least, edit_distance(spec, short_form));
  }
  const bool is_part = spec.size() > 3 && name.find(spec) != std::string_view::npos;
  return is_part ? std::min<std::size_t>(least, 2) : least;
}

} // namespace

Catalog Catalog::load(const fs::path& directory) {
  std::vector<Entry> entries;
  for (const fs::directory_entry& child : list(directory)) {
    std::error_code error;
    if (child.is_directory(error) && level_of_directory(child.path()) > 0) {
      add_tasks(child.path(), entries);
    }
  }
  if (entries.empty()) {
    add_tasks(directory, entries);
  }
  if (entries.empty()) {
    throw UserError(fmt::format(
        "task directory {}: no task here; it must hold level<L>/<number>_<name>.py or .py files", directory.string()));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.level, a.number, a.name) < std::tie(b.level, b.number, b.name);
  });
  refuse_equal_ids(entries);
  return Catalog(std::move(entries));
}

std::vector<std::size_t> Catalog::named(std::string_view spec) const {
  std::vector<std::size_t> by_name;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (spec == entry.id || (!spec.empty() && spec == short_id(entry))) {
      return {i};
    }
    if (spec == entry.name || without_extension(spec) == entry.name) {
      by_name.push_back(i);
    }
  }
  return by_name;
}

std::string Catalog::suggestions(std::string_view spec) const {
  constexpr std::size_t longest_spec = 200;
  constexpr std::size_t most = 3;
  if (spec.size() > longest_spec) {
    return {};
  }
  const std::size_t farthest = std::max<std::size_t>(2, spec.size() / 3);
  std::vector<std::pair<std::size_t, const Entry*>> near;
  for (const Entry& entry : entries_) {
    if (const std::size_t d = distance(spec, entry); d <= farthest) {
      near.emplace_back(d, &entry);
    }
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(near.size(), most); ++i) {
    text += (i == 0 ? "; did you mean " : " or ") + shown(*near[i].second);
  }
  return text.empty() ? text : text + "?";
}

const Entry& Catalog::find(std::string_view spec) const {
  const std::vector<std::size_t> found = named(spec);
  if (found.size() == 1) {
    return entries_[found[0]];
  }
  if (found.size() > 1) {
    throw UserError(fmt::format("the name \"{}\" stands for {} and {}; give the id", spec, entries_[found[0]].id,
                                entries_[found[1]].id));
  }
  std::string advice = suggestions(spec);
  if (advice.empty()) {
    advice = "; `kernelbench tasks list` shows the tasks";
  }
  throw UserError(fmt::format("no task \"{}\"{}", cut_middle(spec, 200), advice));
}

std::vector<Entry> Catalog::select(const std::vector<std::string>& patterns) const {
  std::vector<bool> chosen(entries_.size(), false);
  for (const std::string& pattern : patterns) {
    bool any = false;
    if (has_wildcard(pattern)) {
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (matches_entry(pattern, entries_[i])) {
          chosen[i] = any = true;
        }
      }
      if (!any) {
        throw UserError(fmt::format("no task matches \"{}\"; the {} tasks go from {} to {}", pattern, entries_.size(),
                                    entries_.front().id, entries_.back().id));
      }
    } else {
      chosen[static_cast<std::size_t>(&find(pattern) - entries_.data())] = true;
    }
  }
  std::vector<Entry> selected;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (chosen[i]) {
      selected.push_back(entries_[i]);
    }
  }
  return selected;
}

} // namespace kernelbench::task
