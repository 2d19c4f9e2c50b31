#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "common/pictures/bitmap.h"
#include "testing.h"

/// A screen of 1280 x 1024 pixels that nobody sees (Xvfb), with a user who moves the mouse and types.
class VirtualScreen {
  public:
    /// Nothing, and a word of what is missing in the test's output, on a machine on which no window can be tested.
    static std::unique_ptr<VirtualScreen> open();
    ~VirtualScreen();

    /// Starts a program on this screen.
    void start(const std::string& command);

    /// Waits for the program's window, which then is where the mouse positions count from.
    void wait_for_window();

    /// What is in the window now.
    Bitmap picture() const;

    /// Asks again and again until the answer is yes; false when that takes too long.
    static bool wait_until(const std::function<bool()>& question);

    /// Waits until the window shows exactly this.
    bool shows(const Bitmap& expected) const {
        return wait_until([&] { return compare(picture(), expected).count == 0; });
    }

    std::string title() const;

    void move_mouse(int x, int y) const;
    void press(int button) const;  ///< 1 left, 3 right, 4 and 5 the wheel
    void release(int button) const;
    void type(const std::string& key) const;  ///< its name in X: "Escape", "a"
    void close_window() const;                ///< its close button

    /// Waits for the program to end.
    Outcome finish();

  private:
    struct System;
    VirtualScreen();
    std::unique_ptr<System> system_;
};
