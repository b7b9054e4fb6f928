import { join } from 'node:path'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractAsData } from './contract-as-data.ts'
import { screenFiles } from './screen-files.ts'

const root = join(import.meta.dirname, '..')
const repository = join(root, '..')

// Over HTTP/1.1 a browser loads six files at once, and small files compress badly: what the screens share is in
// three files, not in thirty. Each group takes the imports of its modules along.

/** All that the page of the dashboard imports, but the module that starts it, which the book must not run. */
const start = {
  name: 'start',
  tags: ['$initial' as const],
  test: /(?<!\/main\.tsx|\.html)$/,
  priority: 2,
}
/** The parts that most screens need. */
const screen = {
  name: 'screen',
  test: /dashboard\/(data\/(commands|create-action)|parts\/(create-button|page|person|time)|words\/actions)\.tsx?$/,
  priority: 2,
}
/** The parts of a screen with a list. */
const list = {
  name: 'list',
  test: /dashboard\/(data\/(list-grid|new-rows|use-download)|parts\/(empty-list|filter-bar|more-menu|neighbours|search-field|status|tabs|total|with-sheet))\.tsx?$/,
  priority: 2,
}
/** The list of leads has more to it than others. */
const leads = {
  name: 'leads',
  test: /dashboard\/crm\/leads\/leads\.tsx$/,
  priority: 1,
}
/** Modules that the list of leads shares with screens that are not about leads. */
const beyondLeads = {
  name: 'beyond-leads',
  test: /contract\/(crm\/limits|identity\/people)\.ts|leads\/view-switch\.tsx|data\/saved-views\.tsx$/,
  priority: 2,
}

/** The addresses of the areas that come after the first screen, see routes.tsx: in one file. */
const lateRoutes = {
  name: 'late-routes',
  test: /dashboard\/late-routes\.ts$/,
  priority: 1,
}

/**
 * The modules that at least 80 screens, dialogs and menus need, and no list does: forms, dates, dialogs. Without it, the page of an
 * invoice loads 55 files instead of 23. With fewer than 80, lists and Home would load it too.
 */
const common = {
  name: 'common',
  test: /(dashboard|contract)\/(?!main\.tsx|book).*\.tsx?$/,
  minShareCount: 80,
}

/** The operations of an area that several screens call, but those of the first list: in one file instead of one each. */
const operations = {
  name: (id: string) => `operations-${areaOf(id)}`,
  debugName: 'operations',
  test: /\/contract\/(?!identity\/)[\w-]+\//,
  minShareCount: 2,
}

function areaOf(id: string): string {
  const [, area = ''] = /\/contract\/([\w-]+)\//.exec(id) ?? []
  return area
}

/**
 * The announcer of React Aria empties its log with `innerHTML`, which the policy of the page refuses (DSH-3). Number fields
 * do so whenever their value changes.
 */
const announcerWithoutMarkup: Plugin = {
  name: 'announcer-without-markup',
  transform(code, id) {
    if (!id.endsWith('/dist/private/live-announcer/LiveAnnouncer.mjs')) return
    const changed = code.replaceAll(".innerHTML = ''", '.replaceChildren()')
    if (changed === code) this.error('React Aria changed its announcer: check whether this is still needed')
    return { code: changed, map: null }
  },
}

/** The build of the dashboard, see docs/decisions/0028-dashboard.md. `npm run build` runs it. */
export default defineConfig({
  root,
  base: '/',
  publicDir: false,
  plugins: [
    contractAsData(join(repository, 'contract')),
    { ...optimizeLocales.vite({ locales: ['es-ES', 'en-US'] }), enforce: 'pre' },
    announcerWithoutMarkup,
    screenFiles(),
    react(),
  ],
  css: { modules: { generateScopedName: '[name]-[local]' } },
  build: {
    outDir: join(root, 'dist'),
    // the files of former builds stay for pages that are open, see build.ts
    emptyOutDir: false,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    manifest: 'manifest.json',
    rolldownOptions: {
      input: { index: join(root, 'index.html'), book: join(root, 'book.html') },
      output: {
        // the start names every file that a screen loads
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: ({ names: [name = ''] }) =>
          name.endsWith('.css') ? 'assets/[hash:7].css' : 'assets/[name]-[hash][extname]',
        codeSplitting: { groups: [start, screen, list, beyondLeads, leads, lateRoutes, common, operations] },
      },
    },
  },
})
