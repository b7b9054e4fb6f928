import { words } from '../../words/words.ts'

export const assetTabTexts = words({
  es: {
    asset: 'Recurso',
    files: 'Archivos',
    links: 'Enlaces',
    shares: 'Accesos',
    export: 'Exportar…',
    reading: 'Leyendo el recurso',
    gone: 'Este recurso no existe, o no puedes verlo.',
  },
  en: {
    asset: 'Asset',
    files: 'Files',
    links: 'Links',
    shares: 'Access',
    export: 'Export…',
    reading: 'Reading the asset',
    gone: 'This asset does not exist, or you may not see it.',
  },
})
