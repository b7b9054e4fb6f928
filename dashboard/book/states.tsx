import { Button } from '../parts/button.tsx'
import { EmptyList } from '../parts/empty-list.tsx'
import { Empty, Notice, Problem, Skeleton } from '../parts/states.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './book.module.css'
import { type Chapter, State } from './chapter.tsx'

const texts = words({
  es: {
    none: 'Todavía no hay leads',
    create: 'Crear lead',
    guide: 'Guía',
    failed: 'No se pudo leer',
    retry: 'Reintentar',
    nothingFits: 'Ningún lead encaja',
    note: 'El enlace caduca el 3 de enero.',
    loading: 'Cargando',
  },
  en: {
    none: 'There are no leads yet',
    create: 'Create lead',
    guide: 'Guide',
    failed: 'It could not be read',
    retry: 'Retry',
    nothingFits: 'No lead fits',
    note: 'The link ends on 3 January.',
    loading: 'Loading',
  },
})

function States() {
  const text = useWords(texts)
  return (
    <>
      <State title="Notice">
        <div className={styles.column}>
          <Notice>{text.note}</Notice>
          <Notice kind="warn">{text.note}</Notice>
          <Notice kind="danger">{text.note}</Notice>
          <Notice kind="done">{text.note}</Notice>
        </div>
      </State>
      <State title="Empty">
        <Empty
          title={text.none}
          action={<Button icon="plus">{text.create}</Button>}
          guide={{ label: text.guide, href: '#' }}
        >
          {text.note}
        </Empty>
      </State>
      <State title="EmptyList with filters">
        <EmptyList isFiltered nothingFits={text.nothingFits} onClear={() => undefined} title={text.none} />
      </State>
      <State title="EmptyList without filters">
        <EmptyList
          isFiltered={false}
          nothingFits={text.nothingFits}
          onClear={() => undefined}
          title={text.none}
          action={<Button>{text.create}</Button>}
        >
          {text.note}
        </EmptyList>
      </State>
      <State title="Problem">
        <Problem title={text.failed} action={<Button icon="retry">{text.retry}</Button>}>
          {text.note}
        </Problem>
      </State>
      <State title="Skeleton">
        <div className={styles.wide}>
          <Skeleton label={text.loading} />
        </div>
      </State>
    </>
  )
}

export const stateChapters: readonly Chapter[] = [
  { id: 'states', title: 'Notice, Empty, EmptyList, Problem, Skeleton', Content: States },
]
