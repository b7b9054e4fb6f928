/** The lines that connect a tool to this server, as docs/guides/tools.md has them. */
export type ToolLines = {
  /** Adds the plugin marketplace to Claude Code. */
  marketplace: string
  /** Adds the MCP server to Claude Code. */
  mcp: string
  /** The configuration of another MCP client. */
  mcpJson: string
  /** Installs skills from an address that is valid for some minutes. */
  skills: string
  header: string
}

/** The lines with the address of the server and the token in their places. */
export function toolLinesOf(origin: string, token: string): ToolLines {
  const { protocol, host } = new URL(origin)
  const header = `Authorization: Bearer ${token}`
  return {
    marketplace: `claude plugin marketplace add "${protocol}//patio:${token}@${host}/.claude-plugin/marketplace.json"`,
    mcp: `claude mcp add --transport http patio ${origin}/mcp --header "${header}"`,
    mcpJson: JSON.stringify(
      {
        mcpServers: {
          patio: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${token}` } },
        },
      },
      null,
      2,
    ),
    skills: [
      `DISABLE_TELEMETRY=1 npx skills add "$(curl -fsS ${origin}/install-address \\`,
      `  -H '${header}' | node -p 'JSON.parse(require("fs").readFileSync(0)).url')" --list`,
    ].join('\n'),
    header,
  }
}

/** How near the end of a token is: within a week it is `soon`. */
export function expiryOf(expiresAt: string, now: number): 'expired' | 'soon' | 'later' {
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return 'expired'
  return left < soonMs ? 'soon' : 'later'
}
const soonMs = 7 * 86_400_000
