import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The names of the files in `assets/` of the newest build in a folder, from Vite's manifest, without their compressed forms. */
export function builtAssets(dist: string): Set<string> {
  type Entry = { file: string; css?: string[]; assets?: string[] }
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Entry>
  const files = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [
    file,
    ...css,
    ...assets,
  ])
  return new Set(files.filter(file => file.startsWith('assets/')).map(file => file.slice('assets/'.length)))
}
