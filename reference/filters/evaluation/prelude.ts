/**
 * JavaScript that QuickJS executes before the function of a design document. It defines CouchDB's global functions
 * (`emit`, `sum`, `log`, `isArray`, `toJSON`), and calls the function.
 *
 * It stores the built-ins that it uses, so that the function cannot replace them. Only strings and numbers are exchanged
 * with the host.
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
    throw new Error('require() is not supported by this server (module ' + name + ')');
  };

  return {
    compile(source, kind, designText) {
      const compiled = evaluate('(' + source + '\\n)');
      if (typeof compiled !== 'function') throw new TypeError('it is not a function');
      const design = parse(designText);
      passes =
        kind === 'map'
          ? (document) => {
              emitted = false;
              compiled(document);
              return emitted;
            }
          : (document, request) => apply(compiled, design, [document, request]);
    },
    evaluate(documentsText, requestText) {
      position = -1;
      const documents = parse(documentsText);
      const request = parse(requestText);
      let results = '';
      for (position = 0; position < documents.length; position++)
        results += passes(documents[position], request) ? '1' : '0';
      return results;
    },
    position: () => position,
    describe(thrown) {
      const text =
        typeof thrown === 'object' && !(thrown instanceof Error) ? stringify(thrown) : '' + thrown;
      return apply(slice, text, [0, 500]);
    },
  };
})()`;
