import type { AssetType } from '#contract/studio/assets.ts'
import { fail } from '#platform/fail.ts'
import type { Content } from '../../assets/asset.rules.ts'
import { InvalidPackageError } from '../package-errors.ts'
import { assertFrontmatterBounds } from './frontmatter-bounds.ts'
import { readYaml } from './read-yaml.ts'
import { splitMarkdown } from './split-markdown.ts'
import { writeYaml } from './write-yaml.ts'

type Frontmatter = Content['frontmatter']
/** Changed content. `frontmatterText` is front matter that a person wrote, with its delimiters; null: without a text. */
export type ContentChange = Partial<Content> & { frontmatterText?: string | null }

/** Front matter as YAML: as somebody wrote it, otherwise written from its fields. */
export function yamlOf(frontmatter: Frontmatter, stored: string | null): string {
  const split = stored === null ? undefined : splitMarkdown(stored)
  // the manifests of an imported plugin are no YAML
  if (split === undefined || typeof split === 'string' || split.head !== stored) return writeYaml(frontmatter)
  return split.yaml
}

/**
 * The content in a request. Front matter that it contains as YAML is read, and its text is stored (AST-45). Fails with
 * VALIDATION_ERROR if it cannot be read or exceeds the limits.
 */
export function changeIn({
  frontmatterText,
  ...body
}: Partial<Content> & { frontmatterText?: string }): ContentChange {
  assertFrontmatterBounds(body.frontmatter)
  if (frontmatterText === undefined) return body
  const { value, text } = parse(frontmatterText)
  assertFrontmatterBounds(value)
  const yaml = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return { ...body, frontmatter: value, frontmatterText: yaml === '' ? null : `---\n${yaml}---\n\n` }
}

/** The change of an asset of this type. A plugin has manifests, which store no text of front matter. */
export function changeFor(type: AssetType, change: ContentChange): ContentChange {
  return type === 'PLUGIN' && change.frontmatterText !== undefined
    ? { ...change, frontmatterText: null }
    : change
}

function parse(text: string) {
  try {
    return readYaml(text, 'frontmatterText')
  } catch (error) {
    if (!(error instanceof InvalidPackageError)) throw error
    const [finding] = error.findings
    return fail('VALIDATION_ERROR', {
      details: [
        {
          path: 'frontmatterText',
          code: finding?.code ?? 'invalid',
          message: finding?.message ?? error.message,
        },
      ],
    })
  }
}
