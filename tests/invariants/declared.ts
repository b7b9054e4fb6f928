import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { AnyStatement } from '#platform/data/statement.ts'
import { root } from './operations.ts'

/**
 * A statement as declared in the source with sql(), crossTenantSql() or withFilters(), with its text
 * resolved.
 */
export type Declared = {
  place: string
  /** True for the resulting text; interpolated parts may be anything. */
  matches(text: string): boolean
  /**
   * The names of the arguments in its types. Undefined if unknown, 'any' where a function declares statements with the
   * arguments that its caller chooses.
   */
  args: readonly string[] | 'any' | undefined
}

type Aliases = (name: string) => ts.TypeNode | undefined

/** The modules that declare statements. */
export function stores(): string[] {
  return sources().filter(file =>
    /^import [^;]*?\b(?:sql|crossTenantSql|withFilters)\b[^;]*? from '[^']*\/(?:statement|dynamic-filters)\.ts'/m.test(
      read(file),
    ),
  )
}

/** Every declaration in those modules. */
export function declared(): Declared[] {
  const everywhere = new Map<string, ts.TypeNode>()
  const calls: { place: string; call: ts.CallExpression; aliases: Aliases }[] = []
  for (const file of sources()) {
    const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ESNext, true)
    const here = new Map<string, ts.TypeNode>()
    const aliases: Aliases = name => here.get(name) ?? everywhere.get(name)
    const visit = (node: ts.Node): void => {
      if (ts.isTypeAliasDeclaration(node)) {
        here.set(node.name.text, node.type)
        everywhere.set(node.name.text, node.type)
      }
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        if (/^(sql|crossTenantSql|withFilters)$/.test(node.expression.text)) {
          const { line } = source.getLineAndCharacterOfPosition(node.getStart())
          calls.push({ place: `${file}:${line + 1}`, call: node, aliases })
        }
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return calls.flatMap(({ place, call, aliases }) => {
    const literals = literalsOf(textOf(call))
    const [, args] = call.typeArguments ?? []
    if (!literals) return []
    return [{ place, matches: text => hasInOrder(text, literals), args: args ? argsOf(args, aliases) : [] }]
  })
}

function sources(): string[] {
  return globSync('server/**/*.ts', { cwd: root })
    .filter(file => !file.endsWith('.test.ts'))
    .sort()
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function textOf({ expression, arguments: given }: ts.CallExpression): ts.Node | undefined {
  const text = given[expression.getText() === 'sql' ? 0 : 1]
  return text && ts.isArrowFunction(text) ? text.body : text
}

/** The literal parts of a text, between its interpolations. */
function literalsOf(node: ts.Node | undefined): string[] | undefined {
  if (!node) return undefined
  let text: string
  if (ts.isStringLiteralLike(node)) text = node.text
  else if (ts.isTemplateExpression(node)) {
    text = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('\0')
  } else return undefined
  return text.replace(/\s+/g, ' ').trim().split('\0')
}

/** The text of a statement with the names of its parameters, as in its declaration. */
export function sourceOf({ text, parameters }: AnyStatement): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => `$${parameters[Number(number) - 1]}`)
}

/**
 * True if the text begins with the first part, ends with the last one, and has the others between them in their
 * order. A regular expression for this takes seconds for the longest statements.
 */
function hasInOrder(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return text.endsWith(last) && text.length - last.length >= from
}

/** The names of an object type, through aliases, intersections, Pick and Omit. */
function argsOf(node: ts.TypeNode, aliases: Aliases): Declared['args'] {
  if (ts.isTypeLiteralNode(node)) return node.members.map(member => member.name!.getText())
  if (ts.isIntersectionTypeNode(node)) {
    const parts = node.types.map(type => argsOf(type, aliases))
    if (parts.includes('any')) return 'any'
    return parts.every(part => Array.isArray(part)) ? parts.flat() : undefined
  }
  if (node.kind === ts.SyntaxKind.ObjectKeyword) return 'any'
  if (ts.isParenthesizedTypeNode(node)) return argsOf(node.type, aliases)
  if (ts.isTypeReferenceNode(node)) {
    const name = node.typeName.getText()
    if (name === 'NoArgs') return []
    if (name === 'Record' || name === 'Readonly' || isTypeParameter(node, name)) return 'any'
    const [type, keys] = node.typeArguments ?? []
    if (type && keys && (name === 'Pick' || name === 'Omit')) {
      const all = argsOf(type, aliases)
      const chosen = (ts.isUnionTypeNode(keys) ? keys.types : [keys]).map(key => key.getText().slice(1, -1))
      return Array.isArray(all) ? all.filter(one => chosen.includes(one) === (name === 'Pick')) : undefined
    }
    const alias = aliases(name)
    return alias && argsOf(alias, aliases)
  }
  return undefined
}

/** Whether a function around the node has a type parameter of this name. */
function isTypeParameter(node: ts.Node, name: string): boolean {
  for (let around: ts.Node = node; around; around = around.parent)
    if (ts.isFunctionLike(around) && around.typeParameters?.some(one => one.name.text === name)) return true
  return false
}
