import { findPrivateWords } from './words-tmp.ts'
const m = new Map<string, number>()
for (const x of findPrivateWords()) { if (process.argv[2] && !x.path.startsWith(process.argv[2])) continue; const k = x.text.startsWith('"') ? x.text.split('"')[1]! : 'P ' + x.text.toLowerCase(); m.set(k, (m.get(k) ?? 0) + 1) }
console.log([...m].sort((a, b) => b[1] - a[1]).map(([k, n]) => `${k} ${n}`).join('  '))
