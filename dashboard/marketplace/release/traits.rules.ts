import type { AssetType } from '#contract/studio/assets.ts'

/** The abilities of a release beyond its texts, as far as its content shows. */
export type ReleaseTraits = {
  /** The tools that its front matter asks for; undefined if it does not say. */
  tools: readonly string[] | undefined
  model: string | undefined
  /** The paths of programs in it. */
  scripts: readonly string[]
  /** Commands in the text that run before the model reads it: !`git status`. */
  commands: readonly string[]
  /** The files that start programs by themselves: hooks and MCP servers. */
  starts: readonly string[]
  /** The hosts that its text names. */
  hosts: readonly string[]
}

const scriptPath = /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|mts|rb|pl|php|ps1|bat|cmd|exe|jar|wasm)$/i
const startPath = /(?:^|\/)(?:\.mcp\.json|\.lsp\.json|hooks\.json|settings\.json)$|(?:^|\/)hooks\//i

/** Reads the traits of a release from its front matter, its text and the paths of its files. */
export function traitsOf({
  frontmatter,
  bodyMarkdown,
  files,
}: {
  type: AssetType
  frontmatter: Readonly<Record<string, unknown>>
  bodyMarkdown: string
  files: readonly { path: string }[]
}): ReleaseTraits {
  const paths = files.map(({ path }) => path)
  const { model } = frontmatter
  return {
    tools: wordsOf(frontmatter['allowed-tools'] ?? frontmatter.allowedTools ?? frontmatter.tools),
    model: typeof model === 'string' ? model : undefined,
    scripts: paths.filter(path => scriptPath.test(path)),
    commands: unique([...bodyMarkdown.matchAll(/!`([^`\n]{1,200})`/g)].map(([, command = '']) => command)),
    starts: [
      ...paths.filter(path => startPath.test(path)),
      ...['hooks', 'mcpServers'].filter(name => frontmatter[name] !== undefined),
    ],
    hosts: unique(
      [...bodyMarkdown.matchAll(/https?:\/\/([\w.-]+\.[a-z]{2,24})/gi)].map(([, host = '']) =>
        host.toLowerCase(),
      ),
    ),
  }
}

/** A list of tools: as a list, or as a text with commas. Commas within brackets belong to a tool: `Bash(git *, ls)`. */
function wordsOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== 'string') return undefined
  return (value.match(/(?:[^,(]|\([^)]*\))+/g) ?? []).map(word => word.trim()).filter(word => word !== '')
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)]
}
