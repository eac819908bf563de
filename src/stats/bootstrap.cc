#include "stats/bootstrap.h"
