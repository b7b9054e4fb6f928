/** The child side of a channel: answers requests until the parent is gone. */
export function answer(questions: Record<string, (input: never) => unknown>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ id, name, input }: { id: number; name: string; input: never }) => {
    try {
      const question = questions[name]
      if (!question) throw new Error(`nothing is called ${name}`)
      process.send?.({ id, answer: await question(input) })
    } catch (error) {
      process.send?.({ id, error: (error as Error).stack ?? String(error) })
    }
  })
}
