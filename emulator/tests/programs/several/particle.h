#ifndef __PARTICLE_H__
#define __PARTICLE_H__

#include "v3.h"

class particle
{
  private:
    v3 position;
    v3 velocity;

  public:
    particle();
    __host__ __device__ void advance(float dist) { position.x += dist * velocity.x; position.y += dist * velocity.y; }
    const v3& getPosition() const;
};

void advance_all(particle* device_particles, int n, float dt);

#endif
