export { ASSETS, openStudio } from './open-studio.ts'
