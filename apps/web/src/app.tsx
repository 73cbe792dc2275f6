import { Navigate, Route, Routes } from 'react-router';
import { NavBar } from './components/nav-bar.tsx';
import { ScreenErrors } from './components/screen-errors.tsx';
import { GotyScreen } from './screens/goty-screen.tsx';
import { InicioScreen } from './screens/inicio-screen.tsx';

/** The navigation bar above the screen of the current route (SPEC §2). */
export function App() {
  return (
    <>
      <NavBar />
      <main>
        <ScreenErrors>
          <Routes>
            <Route path="/inicio" element={<InicioScreen />} />
            <Route path="/goty" element={<GotyScreen />} />
            <Route path="*" element={<Navigate to="/inicio" replace />} />
          </Routes>
        </ScreenErrors>
      </main>
    </>
  );
}
