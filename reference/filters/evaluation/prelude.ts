/**
 * The JavaScript that is in QuickJS before the function of a design document comes: what the function finds in its
 * world besides the language (as in CouchDB `emit`, `sum`, `log`, `isArray`, `toJSON`), and what is done with it.
 *
 * What it needs itself it takes before the function can change it. Only texts and numbers go in and out.
 */
export const prelude = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const evaluate = eval;
  let emitted = false;
  let position = -1;
  let passes;

  globalThis.emit = () => { emitted = true; };
  globalThis.log = () => {};
  globalThis.isArray = Array.isArray;
  globalThis.toJSON = stringify;
  globalThis.sum = (values) => {
    let total = 0;
    for (const index in values) total += values[index];
    return total;
  };
  globalThis.require = (name) => {
    throw new Error('require() is not offered by this server (for ' + name + ')');
  };

  return {
    compile(source, kind, designText) {
      const judged = evaluate('(' + source + '\\n)');
      if (typeof judged !== 'function') throw new TypeError('it is no function');
      const design = parse(designText);
      passes =
        kind === 'map'
          ? (document) => {
              emitted = false;
              judged(document);
              return emitted;
            }
          : (document, request) => apply(judged, design, [document, request]);
    },
    evaluate(documentsText, requestText) {
      position = -1;
      const documents = parse(documentsText);
      const request = parse(requestText);
      let verdicts = '';
      for (position = 0; position < documents.length; position++)
        verdicts += passes(documents[position], request) ? '1' : '0';
      return verdicts;
    },
    position: () => position,
    describe(thrown) {
      const text =
        typeof thrown === 'object' && !(thrown instanceof Error) ? stringify(thrown) : '' + thrown;
      return apply(slice, text, [0, 500]);
    },
  };
})()`;
