#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/pictures/bitmap.h"

/// No window can be opened here. The message gives the reason in one line. A program with other work to do can go on.
struct no_window : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The position of the mouse, in pixels of the picture, and which buttons are held. (0, 0) is the picture's upper left
/// corner; positions on the margins are outside of the picture.
struct Mouse {
    double x = 0, y = 0;
    bool left = false, right = false;
};

/// A window that shows one picture, scaled to fit. Esc and the close button close it. It needs GLFW, OpenGL and a
/// display; without them the constructor throws no_window. Use it from the main thread only.
class Window {
  public:
    /// Opens a window for pictures of that size. Small pictures are magnified, and large ones are made to fit the
    /// screen. Throws no_window.
    Window(const std::string& title, std::size_t width, std::size_t height);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Shows this picture from now on, without its alpha. Throws no_window if it is too large for OpenGL.
    void draw(const Bitmap& bitmap);

    void set_title(const std::string& title);

    bool should_close() const;

    /// Sleeps until the user does something, then calls the functions below.
    void wait();

    /// The same, but goes on after so many seconds, whatever the user does: for a picture that changes by itself.
    void wait_at_most(double seconds);

    std::function<void(char32_t)> on_character;                           ///< a key that gives a character
    std::function<void(const Mouse& before, const Mouse& now)> on_mouse;  ///< the mouse moved, or a button changed
    std::function<void(const Mouse& at, double steps)> on_scroll;         ///< the wheel turned, positive: away from you

  private:
    struct System;
    std::unique_ptr<System> system_;
};
