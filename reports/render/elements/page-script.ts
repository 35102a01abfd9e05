/**
 * The script of a page. Everything can be read without it: it copies commands, opens what a link points to, filters, and
 * opens failures for printing.
 */
export const pageScript = `
const all = (selector) => [...document.querySelectorAll(selector)];
document.documentElement.classList.add('scripted');

for (const button of all('button.copy')) {
  button.addEventListener('click', async () => {
    const code = button.closest('.command').querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}

const fold = (group, isFolded) => {
  group.classList.toggle('folded', isFolded);
  group.querySelector('button.fold').setAttribute('aria-expanded', String(!isFolded));
};
for (const button of all('button.fold')) {
  const group = button.closest('tbody');
  button.addEventListener('click', () => fold(group, !group.classList.contains('folded')));
}

const form = document.querySelector('form.filter');
const items = all('[data-text]');
const applyFilter = () => {
  const values = new FormData(form);
  const words = String(values.get('search') ?? '').toLowerCase().split(/\\s+/).filter(Boolean);
  const different = values.has('different');
  let shown = 0;
  for (const item of items) {
    const isShown =
      ['outcome', 'area', 'level'].every((name) => !values.get(name) || (item.dataset[name] === values.get(name) || item.dataset[name].split(' ').includes(values.get(name)))) &&
      (!different || 'different' in item.dataset) &&
      words.every((word) => item.dataset.text.includes(word));
    item.hidden = !isShown;
    if (isShown) shown += 1;
  }
  const isFiltering = [...values.values()].some((value) => value !== '');
  for (const group of all('[data-group]')) {
    group.hidden = !group.querySelector('[data-text]:not([hidden])');
    if (group.matches('details')) group.open = isFiltering;
    if ('folded' in group.dataset) fold(group, !isFiltering);
  }
  form.querySelector('output').textContent = shown + ' of ' + items.length + ' shown';
};
if (form) {
  form.hidden = false;
  form.addEventListener('input', applyFilter);
  form.addEventListener('reset', () => setTimeout(applyFilter));
  form.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input, select, textarea')) return;
    event.preventDefault();
    form.elements.search.focus();
  });
  applyFilter();
}

const reveal = () => {
  let id = location.hash.slice(1);
  try { id = decodeURIComponent(id); } catch {}
  const target = id && document.getElementById(id);
  if (!target) return;
  if (form && target.closest('[hidden]')) { form.reset(); applyFilter(); }
  const details = target.matches('details') ? target : target.querySelector(':scope > details');
  for (let open = details ?? target; open; open = open.parentElement) {
    if (open.matches('details')) open.open = true;
    if ('folded' in open.dataset) fold(open, false);
  }
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();

addEventListener('beforeprint', () => { for (const cause of all('details.cause')) cause.open = true; });
`;
