import type { AssetType } from '#contract/studio/assets.ts'
import { lastOf } from '#platform/required.ts'
import { manifestPaths } from './formats/plugin.ts'

/** The folder prefix and type of a package, and the file with the content (undefined for a plugin). */
export type DetectedPackage = { prefix: string; type: AssetType; main: string | undefined }

/**
 * The prefixes that all paths share: none, the enclosing folder, and a folder directly inside it. Deeper nesting is not
 * treated as an enclosing folder.
 */
export function prefixesOf(paths: readonly string[]): string[] {
  const prefixes = ['']
  while (prefixes.length < 3) {
    const prefix = lastOf(prefixes)
    const [first] = paths
    const end = first?.indexOf('/', prefix.length) ?? -1
    const next = first?.slice(0, end + 1) ?? ''
    if (end === -1 || next.endsWith('.claude-plugin/') || !paths.every(path => path.startsWith(next))) break
    prefixes.push(next)
  }
  return prefixes
}

/** The name of the enclosing folder, or undefined. */
export function folderOf(prefix: string): string | undefined {
  return prefix.split('/').at(-2)
}

/**
 * Detects the type of a package by its file names, with or without an enclosing folder: a plugin by its manifests, then a
 * skill, an agent, a command, a prompt (PKG-5). Undefined if it is none of them or ambiguous.
 */
export function detectPackage(paths: readonly string[]): DetectedPackage | undefined {
  const [flat = '', wrapped, deeper] = prefixesOf(paths)
  const prefixes = [wrapped, deeper, flat].filter(prefix => prefix !== undefined)
  for (const find of [detectCertain, detectLikely]) {
    for (const prefix of prefixes) {
      const detected = find(
        paths.map(path => path.slice(prefix.length)),
        folderOf(prefix),
      )
      if (detected) return { prefix, ...detected }
    }
  }
  return undefined
}

type TypeAndMain = Omit<DetectedPackage, 'prefix'>

function detectCertain(paths: readonly string[], folder: string | undefined): TypeAndMain | undefined {
  const has = (path: string) => paths.includes(path)
  if (has(manifestPaths.portable) || has(manifestPaths.claude)) return { type: 'PLUGIN', main: undefined }
  const skill = has('SKILL.md') ? 'SKILL.md' : paths.find(path => path.toLowerCase() === 'skill.md')
  if (skill) return { type: 'SKILL', main: skill }
  if (paths.some(path => /^skills\/[^/]+\/SKILL\.md$/.test(path))) return { type: 'PLUGIN', main: undefined }
  const agents = paths.filter(path => /^agents\/[^/]+\.md$/.test(path) && !isPrompt(path))
  const commands = paths.filter(path => /^commands\/[^/]+\.md$/.test(path) && !isPrompt(path))
  const agent = pickMain(agents, folder)
  if (agent) return { type: 'AGENT', main: agent }
  const command = agents.length === 0 ? pickMain(commands, folder) : undefined
  if (command) return { type: 'COMMAND', main: command }
  // A Claude Code plugin may have no manifest
  if (agents.length + commands.length > 1) return { type: 'PLUGIN', main: undefined }
  const prompt = pickMain(
    paths.filter(path => isPrompt(path) && !path.includes('/')),
    folder,
  )
  return prompt === undefined ? undefined : { type: 'PROMPT', main: prompt }
}

function detectLikely(paths: readonly string[]): TypeAndMain | undefined {
  if (paths.filter(path => path.endsWith('/SKILL.md')).length > 1) return { type: 'PLUGIN', main: undefined }
  const texts = paths.filter(path => path.toLowerCase().endsWith('.md'))
  const atRoot = texts.filter(path => !path.includes('/') && !isRepositoryFile(path))
  const [only, another] = atRoot.length > 0 ? atRoot : texts
  return only === undefined || another !== undefined ? undefined : { type: 'PROMPT', main: only }
}

function isPrompt(path: string): boolean {
  return path.endsWith('.prompt.md')
}

function isRepositoryFile(path: string): boolean {
  return /^(readme|license|changelog|contributing|security)\.md$/i.test(path)
}

/** The only path, or the one with the name of the folder. */
function pickMain(paths: readonly string[], folder: string | undefined): string | undefined {
  return paths.length === 1 ? paths[0] : paths.find(path => stemOf(path) === folder)
}

/** The last part of a path without `.md` or `.prompt.md`. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(\.prompt)?\.md$/i, '')
}
