#pragma once

class v3
{
public:
    float x;
    float y;

    v3() : x(0), y(0) {}
    v3(float xIn, float yIn);
};
