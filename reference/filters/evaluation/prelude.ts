/**
 * JavaScript that QuickJS executes before the function of a design document. It defines CouchDB's global functions
 * (`emit`, `sum`, `log`, `isArray`, `toJSON`), and calls the function.
 *
 * It stores the built-ins that it uses, so that the function cannot replace them. Only strings and numbers are exchanged
 * with the host. `evaluate` and `validate` stop at the end of the slice; the position is the number of results then.
 */
export const prelude = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { isArray } = Array;
  const { now } = Date;
  const { Error, InternalError, Proxy } = globalThis;
  const { slice } = String.prototype;
  const evaluate = eval;
  const maxThrown = 65536;

  // A function that only uses the document returns the same result each time. This notes any other use: of the request,
  // the time or random numbers. From then on, the function may have stored what it used.
  let isPure = true;
  const watch = (value) => new Proxy(value, new Proxy({}, { get() { isPure = false; } }));
  globalThis.Date = Date.prototype.constructor = watch(Date);
  Math.random = watch(Math.random);

  let emitted = false;
  let position = -1;
  let compiled;
  let passes;
  let design;

  globalThis.emit = () => { emitted = true; };
  globalThis.log = () => {};
  globalThis.isArray = isArray;
  globalThis.toJSON = stringify;
  globalThis.sum = (values) => {
    let total = 0;
    for (const index in values) total += values[index];
    return total;
  };
  globalThis.require = (name) => {
    throw new Error('require() is not supported by this server (module ' + name + ')');
  };

  // Returns the JSON text of what a validation function throws, or null. Exceeded limits end the whole batch.
  const refusalOf = (values) => {
    try {
      apply(compiled, design, values);
      return 'null';
    } catch (thrown) {
      if (thrown instanceof InternalError) throw thrown;
      try {
        const isError = thrown instanceof Error;
        const text = isError
          ? stringify({ name: '' + thrown.name, message: '' + thrown.message })
          : stringify({ thrown });
        if (text.length <= maxThrown) return text;
      } catch (problem) {
        if (problem instanceof InternalError) throw problem;
      }
      return stringify({ thrown: 'The thrown value cannot be converted to JSON, or it is too long.' });
    }
  };

  return {
    compile(source, kind, designText) {
      compiled = evaluate('(' + source + '\\n)');
      if (typeof compiled !== 'function') throw new TypeError('it is not a function');
      design = parse(designText);
      passes =
        kind === 'map'
          ? (document) => {
              emitted = false;
              compiled(document);
              return emitted;
            }
          : (document, request) => apply(compiled, design, [document, request]);
    },
    evaluate(documentsText, requestText, sliceMs) {
      position = -1;
      const end = now() + Number(sliceMs);
      const documents = parse(documentsText);
      const value = parse(requestText);
      const request = value && watch(value);
      let results = '';
      for (position = 0; position < documents.length && (position === 0 || now() <= end); position++)
        results += passes(documents[position], request) ? '1' : '0';
      return results;
    },
    validate(writesText, argumentsText, sliceMs) {
      position = -1;
      const end = now() + Number(sliceMs);
      const writes = parse(writesText);
      const [user, security] = parse(argumentsText);
      let results = '';
      for (position = 0; position < writes.length && (position === 0 || now() <= end); position++) {
        const { document, before } = writes[position];
        results += (position === 0 ? '' : ',') + refusalOf([document, before, user, security]);
      }
      return '[' + results + ']';
    },
    position: () => '' + position,
    isPure: () => '' + isPure,
    describe(thrown) {
      const text =
        typeof thrown === 'object' && !(thrown instanceof Error) ? stringify(thrown) : '' + thrown;
      return apply(slice, text, [0, 500]);
    },
  };
})()`;
