import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { AnyStatement } from '#platform/data/statement.ts'
import { defined } from '#tests/support/elements.ts'
import { root } from './operations.ts'

/** What JavaScript makes of a value of a row. */
export type ValueKind = 'string' | 'number' | 'boolean' | 'null' | 'object'

/** Properties of a type by name; `any` where a function declares statements with a type that its caller chooses. */
type Properties<Value> = ReadonlyMap<string, Value> | 'any'

/** A statement as declared in the source with sql(), crossTenantSql() or withFilters(), with its text resolved. */
export type Declared = {
  place: string
  /** True for the resulting text; interpolated parts may be anything. */
  matches(text: string): boolean
  /** The names in the type of its arguments. */
  args: readonly string[] | 'any'
  /** The kinds of values in the type of its rows; undefined if it has none. */
  row: Properties<ReadonlySet<ValueKind>> | undefined
  /** True if the type of its rows is made from a type of the contract: the rows are replies, or parts of them. */
  isReply: boolean
}

/** The modules that declare statements. */
export function stores(): string[] {
  return globSync('server/**/*.ts', { cwd: root })
    .filter(file => !file.endsWith('.test.ts'))
    .sort()
    .filter(file =>
      /^import [^;]*?\b(?:sql|crossTenantSql|withFilters)\b[^;]*? from '[^']*\/(?:statement|dynamic-filters)\.ts'/m.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    )
}

/** Every declaration in those modules, with the types that the compiler knows. */
export function declared(): Declared[] {
  const { options } = defined(
    ts.getParsedCommandLineOfConfigFile(
      join(root, 'tsconfig.json'),
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic() {},
      },
    ),
  )
  const files = stores().map(file => join(root, file))
  const program = ts.createProgram(files, { ...options, incremental: false, tsBuildInfoFile: undefined })
  const checker = program.getTypeChecker()

  function ofCall(file: ts.SourceFile, call: ts.CallExpression): Declared[] {
    const literals = literalsOf(textOf(call))
    if (!literals) return []
    const { line } = file.getLineAndCharacterOfPosition(call.getStart())
    const [rowNode] = call.typeArguments ?? []
    const [row, args] = (call.typeArguments ?? []).map(node => checker.getTypeFromTypeNode(node))
    const named = args && propertiesOf(args)
    return [
      {
        place: `${file.fileName.slice(root.length)}:${line + 1}`,
        matches: text => hasInOrder(text, literals),
        args: named === 'any' ? 'any' : [...(named?.keys() ?? [])],
        row: row && row.flags & ts.TypeFlags.Never ? undefined : row && propertiesOf(row),
        isReply: rowNode !== undefined && isOfContract(rowNode),
      },
    ]
  }

  /** True for a type of the contract, a part of one, and what `Omit`, `&` and the like make of one. */
  function isOfContract(node: ts.TypeNode): boolean {
    if (ts.isParenthesizedTypeNode(node)) return isOfContract(node.type)
    if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return node.types.some(isOfContract)
    if (ts.isIndexedAccessTypeNode(node)) return isOfContract(node.objectType)
    if (!ts.isTypeReferenceNode(node)) return false
    const named = checker.getSymbolAtLocation(node.typeName)
    const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named
    return (
      (symbol?.declarations ?? []).some(
        declaration =>
          declaration.getSourceFile().fileName.startsWith(join(root, 'contract/')) ||
          (ts.isTypeAliasDeclaration(declaration) && isOfContract(declaration.type)),
      ) || (node.typeArguments ?? []).some(isOfContract)
    )
  }

  function propertiesOf(type: ts.Type): Properties<ReadonlySet<ValueKind>> {
    const isOpen =
      (type.flags &
        (ts.TypeFlags.TypeParameter |
          ts.TypeFlags.NonPrimitive |
          ts.TypeFlags.Any |
          ts.TypeFlags.Unknown)) !==
        0 ||
      checker.getIndexInfosOfType(type).length > 0 ||
      (type.isIntersection() && type.types.some(part => propertiesOf(part) === 'any'))
    if (isOpen) return 'any'
    // a union has the properties of all its members
    const properties = new Map<string, Set<ValueKind>>()
    for (const member of type.isUnion() ? type.types : [type])
      for (const property of checker.getPropertiesOfType(member)) {
        const kinds = kindsOf(checker.getTypeOfSymbol(property))
        properties.set(property.name, new Set([...kinds, ...(properties.get(property.name) ?? [])]))
      }
    return properties
  }

  function kindsOf(type: ts.Type): Set<ValueKind> {
    const parts = type.isUnion() ? type.types : [type]
    return new Set(parts.flatMap(part => kindOf(part) ?? []))
  }

  const found: Declared[] = []
  for (const path of files) {
    const file = defined(program.getSourceFile(path))
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /^(sql|crossTenantSql|withFilters)$/.test(node.expression.getText()))
        found.push(...ofCall(file, node))
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return found
}

function kindOf({ flags }: ts.Type): ValueKind | undefined {
  if (flags & ts.TypeFlags.StringLike) return 'string'
  if (flags & ts.TypeFlags.NumberLike) return 'number'
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean'
  if (flags & ts.TypeFlags.Null) return 'null'
  return flags & ts.TypeFlags.Undefined ? undefined : 'object'
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

/** The text of a statement with the names of its parameters, and with `now()` for the time, as in its declaration. */
export function sourceOf({ text, parameters }: AnyStatement): string {
  return text
    .replace(/\$(\d+)/g, (_, number: string) => `$${parameters[Number(number) - 1]}`)
    .replaceAll('$now::timestamptz', 'now()')
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
