//! Selection ranges: the parts around a place, from the smallest to the whole file.
