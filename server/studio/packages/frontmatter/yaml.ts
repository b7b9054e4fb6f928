import { createRequire } from 'node:module'

type Yaml = typeof import('yaml')
let loaded: Yaml | undefined

/** The YAML library, loaded on first use: an idle process needs a tenth less memory without it. */
export function yaml(): Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as Yaml
  return loaded
}
