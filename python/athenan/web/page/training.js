export function show(place) { place.append("Training"); }
