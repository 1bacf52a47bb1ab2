# embed_text(TARGET FILE SYMBOL): compiles FILE into TARGET as `const char SYMBOL[]` of namespace kernelbench::embedded
# (declare it `extern` where it is used).
function(embed_text target file symbol)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${symbol}.cc)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  file(READ ${file} text)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
       "namespace kernelbench::embedded {\nextern const char @symbol@[];\nconst char @symbol@[] = R\"~embedded~(@text@)~embedded~\";\n}\n")
  target_sources(${target} PRIVATE ${output})
endfunction()
