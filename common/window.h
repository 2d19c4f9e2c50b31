#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/bitmap.h"

/// No window can be opened here. The message says why, in one line; a program that has something else to do goes on.
struct no_window : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Where the mouse is, in pixels of the picture (0, 0 is its upper left corner; beyond it on the margins), and which
/// buttons are held.
struct Mouse {
    double x = 0, y = 0;
    bool left = false, right = false;
};

/// A window on the screen with one picture in it, scaled to fit. Esc closes it, and so does its close button. Made with
/// GLFW and OpenGL; a build without them, and a machine without a display, has none. Use it from the main thread.
class Window {
  public:
    /// Opens a window for pictures of that size: as large if the screen is, and small ones are magnified. Throws
    /// no_window.
    Window(const std::string& title, std::size_t width, std::size_t height);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Shows the picture from now on. Its alpha is ignored. Throws no_window if OpenGL cannot take one of this size.
    void draw(const Bitmap& bitmap);

    void set_title(const std::string& title);

    bool should_close() const;

    /// Sleeps until the user does something, then calls what is set below.
    void wait();

    std::function<void(char32_t)> on_character;                           ///< a key that gives a character
    std::function<void(const Mouse& before, const Mouse& now)> on_mouse;  ///< it moved, or a button changed
    std::function<void(const Mouse& at, double steps)> on_scroll;         ///< the wheel turned, positive: away from you

  private:
    struct System;
    std::unique_ptr<System> system_;
};
