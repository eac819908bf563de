#include "capella/world.h"

#include "world/world.h"

namespace capella {

WorldSummary make_world(const WorldOptions& options) {
  return world::write_world(options);
}

}  // namespace capella
