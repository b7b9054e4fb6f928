import { createRequire } from 'node:module'

type Yaml = typeof import('yaml')
let loaded: Yaml | undefined

/** The library that reads YAML. It is loaded when it is first needed: an idle process is a tenth smaller without it. */
export function yaml(): Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as Yaml
  return loaded
}
