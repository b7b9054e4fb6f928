import { packageProfiles, type Sidecar } from '#contract/studio/packages.ts'
import { textsOf } from './contents.ts'
import { pathOf } from './formats/markdown.ts'
import { readmePath } from './formats/plugin.ts'
import { splitMarkdown } from './frontmatter/split.ts'
import type { Packaged } from './packaged.ts'
import type { Reading } from './reading.ts'

/**
 * The asset that a sidecar tells of, when the package would be written exactly as it is for that asset. Undefined when
 * somebody changed what the sidecar speaks about: then the files count. A changed body is no contradiction.
 */
export async function restored(
  sidecar: Sidecar,
  reading: Reading,
): Promise<{ packaged: Packaged; used: string[] } | undefined> {
  const bodyMarkdown = await bodyIn(sidecar, reading)
  if (bodyMarkdown === undefined) return undefined
  const { files: _, contentHash: __, ...told } = sidecar
  const packaged: Packaged = { ...told, bodyMarkdown }
  for (const profile of packageProfiles) {
    const texts = textsOf(packaged, profile)
    const isSame = await Promise.all(texts.map(async ({ path, text }) => (await reading.text(path)) === text))
    if (isSame.every(Boolean)) return { packaged, used: texts.map(({ path }) => path) }
  }
  return undefined
}

async function bodyIn(
  { type, slug, files: attached }: Sidecar,
  reading: Reading,
): Promise<string | undefined> {
  if (type === 'PLUGIN') {
    const isBody =
      reading.has(readmePath) && !attached.some(({ packagedAs, path }) => (packagedAs ?? path) === readmePath)
    return isBody ? reading.textOrNothing(readmePath) : ''
  }
  const text = await reading.text(pathOf(type, slug))
  const split = text === undefined ? undefined : splitMarkdown(text)
  return typeof split === 'object' ? split.body : undefined
}
