import { join } from 'node:path'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractAsData } from './contract-as-data.ts'

const root = join(import.meta.dirname, '..')
const repository = join(root, '..')

/** The build of the dashboard, see docs/decisions/0028-dashboard.md. `npm run build` runs it. */
export default defineConfig({
  root,
  base: '/',
  publicDir: false,
  plugins: [
    contractAsData(join(repository, 'contract')),
    { ...optimizeLocales.vite({ locales: ['es-ES', 'en-US'] }), enforce: 'pre' },
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
    },
  },
})
