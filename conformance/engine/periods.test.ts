import test from 'ava';
import fc from 'fast-check';
import { evaluatePeriod, type Gap } from './periods.js';

const measured = (stallMs: number, ...lengths: number[]): Gap[] => lengths.map((ms) => ({ ms, stallMs }));

test('a period that is off by some milliseconds is kept', (t) => {
  t.is(evaluatePeriod(measured(Infinity, 80, 91, 78, 84, 80), 80), 'kept');
});

test('a period that is twice as long is found if the target responds to other requests meanwhile', (t) => {
  t.is(evaluatePeriod(measured(25, 160, 161, 160, 170, 160), 80), 'too long');
  t.is(evaluatePeriod(measured(100, 160, 161, 160, 170, 160), 80), 'undecided');
  t.is(evaluatePeriod(measured(Infinity, 160, 161, 160, 170, 160), 80), 'undecided');
});

test('a period that is half as long is found if nothing stalls', (t) => {
  t.is(evaluatePeriod(measured(10, 40, 41, 40, 39, 40), 80), 'too short');
  t.is(evaluatePeriod(measured(80, 40, 41, 40, 39, 40), 80), 'undecided');
});

test('one gap that the machine has changed decides nothing', (t) => {
  t.is(evaluatePeriod(measured(5, 80, 300, 2, 80, 80, 80, 80), 80), 'kept');
  t.is(evaluatePeriod(measured(5, 80, 150, 20, 80, 80), 80), 'kept');
});

test('skipped events are found if the target responds to other requests meanwhile', (t) => {
  t.is(evaluatePeriod(measured(10, 80, 160, 80, 160, 80), 80), 'too long');
  t.is(evaluatePeriod(measured(30, 80, 160, 80, 160, 80), 80), 'undecided');
});

test('several events that arrive at once after a pause do not make a long period look short', (t) => {
  // Sent every 240 ms, but read after a pause of 700 ms.
  t.not(evaluatePeriod(measured(Infinity, 0, 0, 20, 240), 80), 'kept');
});

test('a target that keeps its period is never blamed, whatever delays its events', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 2000 }), { minLength: 5, maxLength: 8 }),
      fc.integer({ min: 20, max: 500 }),
      (delays, periodMs) => {
        // An event is read late by its delay, but never before an earlier one.
        let arrivedAt = 0;
        const arrivals = delays.map((delay, index) => {
          arrivedAt = Math.max(arrivedAt, index * periodMs + delay);
          return arrivedAt;
        });
        // A delay of the machine delays responses to other requests as well.
        const gaps = arrivals.slice(1).map((at, index) => {
          const late = (place: number): number => arrivals[place]! - place * periodMs;
          return { ms: at - arrivals[index]!, stallMs: Math.max(late(index), late(index + 1)) };
        });
        t.true(['kept', 'undecided'].includes(evaluatePeriod(gaps, periodMs)));
      },
    ),
  );
});
