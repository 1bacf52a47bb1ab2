#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace kernelbench {
namespace {

// Long enough for any machine; only a failing test waits for it.
constexpr auto forever = std::chrono::seconds(60);

TEST(ThreadPool, GivesWhatTheWorkGives) {
  ThreadPool pool(2);
  auto number = pool.submit([] { return 42; });
  auto text = pool.submit([] { return std::string("done"); });
  auto nothing = pool.submit([] {});
  EXPECT_EQ(number.get(), 42);
  EXPECT_EQ(text.get(), "done");
  EXPECT_NO_THROW(nothing.get());
}

TEST(ThreadPool, ThrowsWhatTheWorkThrowsAndGoesOn) {
  ThreadPool pool(1);
  auto broken = pool.submit([]() -> int { throw std::runtime_error("no luck"); });
  auto sound = pool.submit([] { return 1; });
  EXPECT_THROW(broken.get(), std::runtime_error);
  EXPECT_EQ(sound.get(), 1);
}

TEST(ThreadPool, OneThreadKeepsTheOrder) {
  std::vector<int> order;
  {
    ThreadPool pool(1);
    std::vector<std::future<void>> all;
    for (int i = 0; i < 100; ++i) {
      all.push_back(pool.submit([&order, i] { order.push_back(i); }));
    }
    for (auto& one : all) {
      one.get();
    }
  }
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  }
}

// Each piece of work ends only when the other has begun.
TEST(ThreadPool, TwoThreadsWorkAtOnce) {
  ThreadPool pool(2);
  std::promise<void> first_begun;
  std::promise<void> second_begun;
  auto first = pool.submit([&] {
    first_begun.set_value();
    return second_begun.get_future().wait_for(forever);
  });
  auto second = pool.submit([&] {
    second_begun.set_value();
    return first_begun.get_future().wait_for(forever);
  });
  EXPECT_EQ(first.get(), std::future_status::ready);
  EXPECT_EQ(second.get(), std::future_status::ready);
}

TEST(ThreadPool, DestroyedItEndsWhatBeganAndDropsTheRest) {
  std::promise<void> begun;
  std::promise<void> go_on;
  std::atomic<int> done = 0;
  std::future<void> running;
  std::vector<std::future<void>> waiting;
  std::thread release;
  {
    ThreadPool pool(1);
    running = pool.submit([&] {
      begun.set_value();
      go_on.get_future().wait();
      ++done;
    });
    begun.get_future().wait();
    for (int i = 0; i < 10; ++i) {
      waiting.push_back(pool.submit([&] { ++done; }));
    }
    // The pool drops what waits before it waits for what runs: only then may that end.
    release = std::thread([&] {
      for (auto& one : waiting) {
        one.wait_for(forever);
      }
      go_on.set_value();
    });
  }
  release.join();
  EXPECT_EQ(done, 1);
  EXPECT_NO_THROW(running.get());
  for (auto& one : waiting) {
    EXPECT_THROW(one.get(), std::future_error);
  }
}

TEST(ThreadPool, TakesWorkFromManyThreadsAndFromItsOwn) {
  std::atomic<int> done = 0;
  {
    ThreadPool pool(3);
    std::vector<std::thread> givers;
    std::atomic<int> failed = 0;
    for (int i = 0; i < 4; ++i) {
      givers.emplace_back([&] {
        for (int j = 0; j < 250; ++j) {
          auto inner = pool.submit([&] { return pool.submit([&] { ++done; }); });
          failed += inner.get().wait_for(forever) == std::future_status::ready ? 0 : 1;
        }
      });
    }
    for (std::thread& giver : givers) {
      giver.join();
    }
    EXPECT_EQ(failed, 0);
  }
  EXPECT_EQ(done, 1000);
}

} // namespace
} // namespace kernelbench
