#include "stats/correlation.h"
