import type { CallError } from '#sdk/client.ts'
import { Button } from '../parts/button.tsx'
import { Grid, type GridProps } from '../parts/grid.tsx'
import { Problem } from '../parts/states.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'
import { textOfError } from './errors.ts'

const texts = words({ es: { again: 'Intentar otra vez' }, en: { again: 'Try again' } })

/** A list as `useList` reads it. */
type ReadList<Row> = {
  items: readonly Row[]
  total: number | undefined
  isLoading: boolean
  error: CallError | null
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
  reload: () => void
}

export type ListGridProps<Row> = Omit<
  GridProps<Row>,
  'rows' | 'total' | 'isLoading' | 'hasMore' | 'isLoadingMore' | 'loadMore' | 'error'
> & { list: ReadList<Row> }

/** A grid with the rows of a list: it loads more while a person scrolls, and a failure can be tried again. */
export function ListGrid<Row>({ list, ...grid }: ListGridProps<Row>) {
  const { again } = useWords(texts)
  const language = useLanguage()
  const { items, error, reload, ...rest } = list
  return (
    <Grid
      {...grid}
      {...rest}
      rows={items}
      error={
        error && (
          <Problem title={textOfError(error, language)} action={<Button onPress={reload}>{again}</Button>} />
        )
      }
    />
  )
}
