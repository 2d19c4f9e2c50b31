#include "particle.h"

v3::v3(float xIn, float yIn) : x(xIn), y(yIn)
{
}

particle::particle() : position(), velocity(1.0f, -2.0f)
{
}

const v3& particle::getPosition() const
{
    return position;
}
