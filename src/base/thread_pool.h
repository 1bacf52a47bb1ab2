#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace kernelbench {

// A fixed number of threads that do work in the order it was given. Destroyed, it drops work that has not begun and waits
// for the rest.
class ThreadPool {
public:
  explicit ThreadPool(int threads) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this] { serve(); });
    }
  }
  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      work_.clear();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

  // The future throws what the work throws; std::future_error when the work was dropped.
  template <class Work>
  auto submit(Work work) -> std::future<decltype(work())> {
    auto task = std::make_shared<std::packaged_task<decltype(work())()>>(std::move(work));
    auto future = task->get_future();
    {
      const std::lock_guard lock(mutex_);
      work_.push_back([task] { (*task)(); });
    }
    changed_.notify_one();
    return future;
  }

private:
  void serve() {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !work_.empty(); });
      if (stopping_) {
        return;
      }
      const auto work = std::move(work_.front());
      work_.pop_front();
      lock.unlock();
      work();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

} // namespace kernelbench
