import { isMap, isPair, isScalar, parseDocument, visit } from 'yaml'
import { defined } from '../elements.ts'

/** The files of a package by path. */
export type PackageContents = Record<string, string | Buffer>

const keys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
const nameRule = /^[a-z0-9]+(-[a-z0-9]+)*$/

/**
 * Objections of the reference validator of Agent Skills, its parser and the checks of known clients to a package with an
 * enclosing folder. All of them accept a package without objections.
 */
export function objectionsTo(files: PackageContents): string[] {
  const folders = new Set(Object.keys(files).map(path => path.split('/')[0]))
  const [folder] = folders
  const skills = Object.keys(files).filter(path => /(^|\/)SKILL\.md$/.test(path))
  if (folders.size !== 1 || Object.keys(files).some(path => !path.includes('/'))) return ['not one folder']
  if (skills.join() !== `${folder}/SKILL.md`) return [`SKILL.md stands at ${skills.join()}`]
  const manifests = Object.keys(files).filter(path => path.endsWith('.claude-plugin/plugin.json'))
  const text = defined(files[`${folder}/SKILL.md`]).toString()
  return [...manifests.map(path => `${path} makes it a plugin`), ...objectionsToSkill(text, defined(folder))]
}

function objectionsToSkill(text: string, folder: string): string[] {
  if (!text.startsWith('---')) return ['it does not begin with ---']
  const [, frontmatter, ...body] = text.split('---')
  if (body.length === 0) return ['the front matter does not end']
  if (!/^---\n([\s\S]*?)\n---/.test(text)) return ['the front matter has no lines of its own']
  const { fields, objections } = strictFields(defined(frontmatter))
  const { name, description, license, compatibility, metadata, 'allowed-tools': tools } = fields
  const check = (isWrong: boolean, what: string) => isWrong && objections.push(what)
  for (const key of Object.keys(fields)) check(!keys.includes(key), `unknown key ${key}`)
  check(typeof name !== 'string' || !nameRule.test(name) || name.length > 64, `name ${name}`)
  check(name !== folder, `name ${name} in folder ${folder}`)
  check(typeof description !== 'string' || description.trim() === '', 'no description')
  check([...String(description)].length > 1024, 'description too long')
  check(/[<>]/.test(String(description)), 'description with marks')
  check(license !== undefined && typeof license !== 'string', 'license is no text')
  check(tools !== undefined && typeof tools !== 'string', 'allowed-tools is no text')
  check(compatibility !== undefined && !isTextOf(compatibility, 500), 'compatibility')
  check(metadata !== undefined && !isTexts(metadata), 'metadata holds more than texts')
  return objections
}

function isTextOf(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value !== '' && [...value].length <= longest
}

function isTexts(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(text => typeof text === 'string')
  )
}

/** The fields as YAML 1.1 reads them, and the features that StrictYAML rejects: flow style, anchors, tags, duplicate keys. */
function strictFields(text: string): { fields: Record<string, unknown>; objections: string[] } {
  const document = parseDocument(text, { version: '1.1', schema: 'yaml-1.1', logLevel: 'silent' })
  const objections = document.errors.map(({ message }) => message)
  visit(document, {
    Collection(_, node) {
      if (node.flow) objections.push('flow style')
      if (node.anchor || node.tag) objections.push('anchor or tag')
    },
    Alias: () => void objections.push('alias'),
    Scalar(_, node) {
      if (node.anchor || node.tag) objections.push('anchor or tag')
    },
    Pair(_, pair) {
      if (isPair(pair) && !isScalar(pair.key)) objections.push('a key that is no text')
    },
  })
  if (!isMap(document.contents)) return { fields: {}, objections: [...objections, 'no fields'] }
  return { fields: document.toJS(), objections }
}

const pluginFields: Record<string, (value: unknown) => boolean> = {
  $schema: value => value === 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
  name: value => typeof value === 'string' && value.length <= 64 && nameRule.test(value.replaceAll('.', '-')),
  version: isText,
  description: isText,
  homepage: isText,
  repository: isText,
  license: isText,
  keywords: value => Array.isArray(value) && value.every(isText),
  author: value =>
    isObject(value) &&
    isText(value.name) &&
    Object.entries(value).every(([key, text]) => ['name', 'email', 'url'].includes(key) && isText(text)),
  extensions: isObject,
}

/** Objections of the closed schema of Agent Plugins 1.0.0 to a manifest. */
export function objectionsToManifest(text: string): string[] {
  const manifest = JSON.parse(text) as Record<string, unknown>
  const missing = ['$schema', 'name'].filter(key => !(key in manifest)).map(key => `${key} is missing`)
  const wrong = Object.keys(manifest).filter(key => !pluginFields[key]?.(manifest[key]))
  return [...missing, ...wrong.map(key => `${key}: ${JSON.stringify(manifest[key])}`)]
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
