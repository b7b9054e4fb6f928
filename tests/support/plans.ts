import pg from 'pg'
import { expect } from 'vitest'
import { statements } from '#platform/data/statement.ts'

/** A value of a statement. */
export type PlanValue = string | number | boolean | null

/** The reads of statements with generic plans. */
export type Plans = {
  /** The blocks that the one statement with all these parts reads. */
  blocksOf(parts: readonly string[], values: readonly PlanValue[]): Promise<number>
  close(): Promise<void>
}

/** Opens a separate connection for plans. */
export async function openPlans(connectionString: string): Promise<Plans> {
  const client = new pg.Client({
    connectionString,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
  return {
    async blocksOf(parts, values) {
      const found = statements().filter(({ text }) => parts.every(part => text.includes(part)))
      expect(found.map(({ text }) => text)).toHaveLength(1)
      const [{ name, text }] = found as [(typeof found)[number]]
      await client.query(`prepare ${name}_look as ${text}`)
      const written = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute ${name}_look(${written.join(', ')})`,
      )
      await client.query(`deallocate ${name}_look`)
      const { Plan: plan } = (rows[0]['QUERY PLAN'] as { Plan: Record<string, number> }[])[0]!
      return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
    },
    close: () => client.end(),
  }
}
