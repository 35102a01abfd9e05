/** The times of feeds that more than one part of the suite knows. */

/**
 * The period of heartbeats, and the time after which a feed ends, unless the request chooses another one, in milliseconds
 * (SERVICE 8).
 */
export const defaultPeriodMs = 60_000;

/** How much earlier than after its period an end may seem to come, in milliseconds: timers are imprecise. */
export const earlyToleranceMs = (periodMs: number): number => Math.max(10, periodMs / 20);
