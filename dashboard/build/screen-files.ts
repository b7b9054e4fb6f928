import type { Plugin } from 'vite'

/** The scripts and styles of the build that the screens below an address need besides those of the page itself. */
export type ScreenFiles = { readonly path: string; readonly files: readonly string[] }

type Node = { readonly type: string; readonly [key: string]: unknown }
/** A `const name = createRoute({ … })` in a module, and the module that its component loads. */
type DeclaredRoute = {
  name: string
  isExported: boolean
  path: string
  parent: string
  module: string
  screen: string | undefined
}
type Chunk = {
  type: 'chunk'
  fileName: string
  isEntry: boolean
  moduleIds: readonly string[]
  imports: readonly string[]
  viteMetadata?: { importedCss: ReadonlySet<string> }
}

/**
 * A Vite plugin that writes `screens.json`: for each address of the router the files of its screen, which the server names in
 * a header of the page (DSH-1). Without it, a browser learns them from the first script, and those of the late routes from the second.
 * It reads the routes from the sources, so each must be a constant with its path, its parent and its component as literals.
 */
export function screenFiles(): Plugin {
  const routes: DeclaredRoute[] = []
  return {
    name: 'screen-files',
    enforce: 'pre',
    buildStart() {
      routes.length = 0
    },
    transform: {
      filter: { code: /\bcreateRoute\(/, id: /dashboard\/.*\.tsx?$/ },
      async handler(code, id) {
        for (const { lazy, ...route } of routesIn(this.parse(code, { lang: 'tsx' }))) {
          const screen = typeof lazy === 'string' ? await this.resolve(lazy, id) : undefined
          routes.push({ ...route, module: id, screen: screen?.id })
        }
        return null
      },
    },
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(file => file.type === 'chunk') as Chunk[]
      const filesOf = filesByRoute(chunks)
      const all = routes.map(route => filesOf(lineageOf(route, routes)))
      // a parent has the address of its first screen
      const screens = all.filter(({ path, files }) =>
        all.every(other => other.path !== path || other.files.length <= files.length),
      )
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(screens) })
    },
  }
}

/** The routes of a module, with the import of their component as it is written. */
function routesIn(program: unknown): (Omit<DeclaredRoute, 'module' | 'screen'> & { lazy: unknown })[] {
  return (program as { body: Node[] }).body.flatMap(statement => {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declared = [...nodesIn(statement)].filter(({ type }) => type === 'VariableDeclarator')
    return declared.flatMap(({ id, init }) => {
      const { name } = id as { name?: string }
      if (name === undefined || !isCallOf(init, 'createRoute')) return []
      const parent = [...nodesIn(propertyOf(init, 'getParentRoute'))].find(isIdentifier)
      const path = propertyOf(init, 'path')?.value
      if (parent === undefined || typeof path !== 'string')
        throw new Error(`The route ${name} has no path or parent that screens.json could name.`)
      const component = [...nodesIn(propertyOf(init, 'component'))]
      const lazy = component.find(({ type }) => type === 'ImportExpression')?.source as Node | undefined
      return [{ name, isExported, path, parent: parent.name, lazy: lazy?.value }]
    })
  })
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each)
  else if (typeof value === 'object' && value !== null && 'type' in value) {
    yield value as Node
    for (const each of Object.values(value)) yield* nodesIn(each)
  }
}

function isIdentifier(node: Node): node is Node & { name: string } {
  return node.type === 'Identifier'
}

function isCallOf(value: unknown, name: string): value is Node & { arguments: [Node] } {
  const call = value as { type: string; callee: { name?: string } } | null
  return call?.type === 'CallExpression' && call.callee.name === name
}

function propertyOf(call: { arguments: [Node] }, name: string): Node | undefined {
  const properties = call.arguments[0].properties as { key?: { name?: string }; value?: Node }[]
  return properties.find(({ key }) => key?.name === name)?.value
}

/** A route after its parents, which are constants of the same module or exports of another one. */
function lineageOf(route: DeclaredRoute, routes: readonly DeclaredRoute[]): DeclaredRoute[] {
  const named = routes.filter(({ name }) => name === route.parent)
  const near = named.filter(({ module }) => module === route.module)
  const [parent, other] = near.length > 0 ? near : named.filter(({ isExported }) => isExported)
  if (other)
    throw new Error(`Several routes have the name ${route.parent}, so screens.json cannot tell them apart.`)
  return parent ? [...lineageOf(parent, routes), route] : [route]
}

/** Finds the whole address of a route, and the files of it and its parents that the page does not load anyway. */
function filesByRoute(chunks: readonly Chunk[]): (lineage: readonly DeclaredRoute[]) => ScreenFiles {
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const initial = closureOf(
    chunks.filter(({ isEntry }) => isEntry),
    byName,
  )
  return lineage => {
    const modules = new Set(lineage.flatMap(({ module, screen }) => [module, screen]))
    const needed = closureOf(
      chunks.filter(({ moduleIds }) => moduleIds.some(id => modules.has(id))),
      byName,
    )
    const own = [...needed].filter(chunk => !initial.has(chunk))
    const styles = own.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
    return {
      path: lineage.map(({ path }) => path.replace(/\/$/, '')).join('') || '/',
      files: [...new Set([...styles, ...own.map(({ fileName }) => fileName)])],
    }
  }
}

/** Chunks with all that they import at their start. */
function closureOf(roots: readonly Chunk[], byName: ReadonlyMap<string, Chunk>): Set<Chunk> {
  const all = new Set(roots)
  // a set yields what is added to it during the walk
  for (const { imports } of all)
    for (const name of imports) {
      const chunk = byName.get(name)
      if (chunk) all.add(chunk)
    }
  return all
}
