import { packageProfiles, type Sidecar } from '#contract/studio/packages.ts'
import { markdownPathOf } from './formats/markdown.ts'
import { readmePath } from './formats/plugin.ts'
import { splitMarkdown } from './frontmatter/split-markdown.ts'
import { textsOf } from './package-files.ts'
import type { PackageReader } from './package-reader.ts'
import type { PackagedAsset } from './packaged-asset.ts'

/**
 * The asset of a sidecar, if an export of that asset would give exactly the files of this package. Undefined if somebody
 * changed the files; the files then take precedence. A changed body does not contradict the sidecar.
 */
export async function restoreFromSidecar(
  sidecar: Sidecar,
  reader: PackageReader,
): Promise<{ packaged: PackagedAsset; used: string[] } | undefined> {
  const bodyMarkdown = await bodyIn(sidecar, reader)
  if (bodyMarkdown === undefined) return undefined
  const { files: _, contentHash: __, ...metadata } = sidecar
  const packaged: PackagedAsset = { ...metadata, bodyMarkdown }
  for (const profile of packageProfiles) {
    const texts = textsOf(packaged, profile)
    const isSame = await Promise.all(texts.map(async ({ path, text }) => (await reader.text(path)) === text))
    if (isSame.every(Boolean)) return { packaged, used: texts.map(({ path }) => path) }
  }
  return undefined
}

async function bodyIn(
  { type, slug, files: attached }: Sidecar,
  reader: PackageReader,
): Promise<string | undefined> {
  if (type === 'PLUGIN') {
    const isBody =
      reader.has(readmePath) && !attached.some(({ packagedAs, path }) => (packagedAs ?? path) === readmePath)
    return isBody ? reader.tryText(readmePath) : ''
  }
  const text = await reader.text(markdownPathOf(type, slug))
  const split = text === undefined ? undefined : splitMarkdown(text)
  return typeof split === 'object' ? split.body : undefined
}
